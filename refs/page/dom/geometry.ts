/** Where an element is, which of it can be seen, and what lies at a point. Viewport coordinates of the frame. */

import type { Box, Point } from "../protocol.ts";
import { body, childElementsOf, flatParentOf, rectOf, rootElement, shadowRootOf } from "./dom.ts";

const { getClientRects } = Element.prototype;
const { elementFromPoint } = Document.prototype;
const scrollingElement = Object.getOwnPropertyDescriptor(Document.prototype, "scrollingElement")?.get;

/** What scrolls the document. */
export function documentScroller(): Element {
  return (scrollingElement?.call(document) as Element | null) ?? rootElement() ?? document.createElement("html");
}

/** Whether `inner` is `outer` or is rendered inside it. */
export function holds(outer: Element, inner: Element): boolean {
  for (let at: Element | undefined = inner; at; at = flatParentOf(at)) if (at === outer) return true;
  return false;
}

export function boxOf(element: Element): Box {
  const { x, y, width, height } = rectOf(element);
  return { x, y, width, height };
}

/** The parts an element is drawn in: one, or one a line for inline text; those of its children when it has none. */
export function partsOf(element: Element, depth = 3): Box[] {
  const own = [...getClientRects.call(element)]
    .filter(isArea)
    .map(({ x, y, width, height }) => ({ x, y, width, height }));
  if (own.length > 0 || depth === 0) return own;
  return [...childElementsOf(element)].flatMap((child) => partsOf(child, depth - 1));
}

function isArea({ width, height }: { width: number; height: number }): boolean {
  return width > 0 && height > 0;
}

function intersect(a: Box, b: Box): Box {
  const x = Math.max(a.x, b.x);
  const y = Math.max(a.y, b.y);
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return { x, y, width: Math.max(0, width), height: Math.max(0, height) };
}

/** The document's viewport without its scrollbars. */
export function windowBox(): Box {
  const { innerWidth, innerHeight } = window;
  // Without a doctype the body stands for the viewport: CSSOM View, `clientWidth`.
  const view = document.compatMode === "BackCompat" ? body() : rootElement();
  const width = Math.min(view?.clientWidth || innerWidth, innerWidth);
  const height = Math.min(view?.clientHeight || innerHeight, innerHeight);
  return { x: 0, y: 0, width, height };
}

/** False for boxes that only touch, and for those without an area unless it lies inside. */
export function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** Where a frame's own viewport begins, in the viewport of the document that holds it. */
export function contentOf(frame: Element): Point {
  const { x, y } = rectOf(frame);
  const { paddingLeft, paddingTop } = getComputedStyle(frame);
  return {
    x: x + frame.clientLeft + Number.parseFloat(paddingLeft),
    y: y + frame.clientTop + Number.parseFloat(paddingTop),
  };
}

/** The part of a frame that can be seen, in the frame's own viewport. */
export function seenOf(frame: Element): Box | undefined {
  const [part] = visibleParts(frame);
  if (!part) return undefined;
  const content = contentOf(frame);
  return { ...part, x: part.x - content.x, y: part.y - content.y };
}

/** What the viewport and the scroll containers around the element leave of its parts, largest first. */
export function visibleParts(element: Element): Box[] {
  const clips = [windowBox(), ...clipsOf(element)];
  return partsOf(element)
    .map((part) => clips.reduce(intersect, part))
    .filter(isArea)
    .sort((a, b) => b.width * b.height - a.width * a.height);
}

/** Boxes of the ancestors that cut off what overflows them. Follows containing blocks: CSS Overflow 3, section 2. */
function clipsOf(element: Element): Box[] {
  const clips: Box[] = [];
  let position = getComputedStyle(element).position;
  for (let at = flatParentOf(element); at; at = flatParentOf(at)) {
    if (at === rootElement() || at === body()) break;
    const style = getComputedStyle(at);
    if (style.display === "contents") continue;
    const contains = style.transform !== "none" || style.filter !== "none" || style.contain.includes("paint");
    if (position === "fixed" && !contains) continue;
    if (position === "absolute" && style.position === "static" && !contains) continue;
    position = style.position;
    if (style.overflowX === "visible" && style.overflowY === "visible") continue;
    const { x, y, width, height } = rectOf(at);
    const scale = {
      x: width / ((at as HTMLElement).offsetWidth || width),
      y: height / ((at as HTMLElement).offsetHeight || height),
    };
    clips.push({
      x: x + at.clientLeft * scale.x,
      y: y + at.clientTop * scale.y,
      width: at.clientWidth * scale.x,
      height: at.clientHeight * scale.y,
    });
  }
  return clips;
}

/** Points worth trying, best first: the middle of each part, then a grid over the largest. */
export function pointsOf(parts: Box[]): Point[] {
  const points = parts.slice(0, 4).map((part) => at(part, 0.5, 0.5));
  const largest = parts[0];
  if (!largest) return points;
  const steps = [0.5, 0.25, 0.75, 0.1, 0.9];
  for (const y of steps) for (const x of steps) if (x !== 0.5 || y !== 0.5) points.push(at(largest, x, y));
  return points;
}

function at(box: Box, x: number, y: number): Point {
  return { x: box.x + box.width * x, y: box.y + box.height * y };
}

/** The innermost element at the point, through open shadow roots; null outside the viewport. */
export function elementAt({ x, y }: Point): Element | null {
  let hit = elementFromPoint.call(document, x, y);
  while (hit) {
    const inner: Element | null = shadowRootOf(hit)?.elementFromPoint(x, y) ?? null;
    if (!inner || inner === hit || !holds(hit, inner)) break;
    hit = inner;
  }
  return hit;
}
