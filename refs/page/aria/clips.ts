/** What `overflow`, `clip` and `clip-path` leave of a box. */
import { rectOf } from "../dom/dom.ts";

/** No wider than this nothing can be read. CSS pixels. */
const MIN_SIDE = 1;

export interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export const NOWHERE: Area = { left: 0, top: 0, right: 0, bottom: 0 };

const VISIBLE = ["visible"];

/** In x, and in y unless that is the same. */
export function overflowOf({ overflow }: CSSStyleDeclaration): string[] {
  return overflow === "visible" ? VISIBLE : overflow.split(" ");
}

export function cutsOtherwise(style: CSSStyleDeclaration): boolean {
  return style.clipPath !== "none" || (style.clip !== "auto" && isLifted(style.position));
}

/** Out of the flow; `clip` works on nothing else. */
function isLifted(position: string): boolean {
  return position === "absolute" || position === "fixed";
}

export function intersection(a: Area, b: Area): Area {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

export function isThin({ left, top, right, bottom }: Area): boolean {
  return right - left <= MIN_SIDE || bottom - top <= MIN_SIDE;
}

/** `clip: rect(0 0 0 0)`, `clip-path: inset(50%)` and one-pixel boxes: the ways to keep text for screen readers only. */
export function clipsItself(style: CSSStyleDeclaration, rect: Area): boolean {
  if (isThin(rect) && style.overflowX !== "visible") return true;
  const { clipPath } = style;
  if (clipPath !== "none" && isEmptyShape(clipPath, rect)) return true;
  const { clip } = style;
  if (clip === "auto" || !isLifted(style.position)) return false;
  const sides = /rect\(([^)]*)\)/
    .exec(clip)?.[1]
    ?.split(/[\s,]+/)
    .map(Number.parseFloat);
  const [top = 0, right = 0, bottom = 0, left = 0] = sides ?? [];
  return sides !== undefined && (right - left <= MIN_SIDE || bottom - top <= MIN_SIDE);
}

/** Is it cut the way that is meant for screen readers: all of it, by a shape or by a box of a pixel? */
export function isForScreenReaders(element: Element, style: CSSStyleDeclaration): boolean {
  const rect = rectOf(element);
  const isPixel = rect.width <= MIN_SIDE && rect.height <= MIN_SIDE;
  return clipsItself(style, rect) && (isPixel || (isLifted(style.position) && cutsOtherwise(style)));
}

function isEmptyShape(clipPath: string, rect: Area): boolean {
  const [, shape, inside = ""] = /^(inset|circle|ellipse|polygon)\((.*?)\)/.exec(clipPath) ?? [];
  if (shape === "inset") return isEmptyInset(inside.split(" round ", 1)[0] ?? "", rect);
  if (shape === "polygon") return isFlat(inside);
  return shape !== undefined && /^0(px|%)?( |$)/.test(inside);
}

/** From the top clockwise, as in `margin`. */
function isEmptyInset(sides: string, { left, top, right, bottom }: Area): boolean {
  const [above = "0", after = above, below = above, before = after] = sides.trim().split(/\s+/);
  const width = right - left;
  const height = bottom - top;
  return (
    width - lengthOf(after, width) - lengthOf(before, width) <= MIN_SIDE ||
    height - lengthOf(above, height) - lengthOf(below, height) <= MIN_SIDE
  );
}

/** All its corners are on one line, upright or level. */
function isFlat(corners: string): boolean {
  const points = corners.replace(/^(nonzero|evenodd),\s*/, "").split(/,\s*/);
  const [xs, ys] = [0, 1].map(
    (axis) => new Set(points.map((point) => Number.parseFloat(point.split(/\s+/)[axis] ?? ""))),
  );
  return xs?.size === 1 || ys?.size === 1;
}

function lengthOf(side: string, whole: number): number {
  const length = Number.parseFloat(side);
  if (side.includes("(")) return 0;
  return side.endsWith("%") ? (length / 100) * whole : length;
}
