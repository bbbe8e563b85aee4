/** Why a person could not see an element that is rendered: marks for the reader of a snapshot and the content guard. */

import {
  childElementsOf,
  firstChildOf,
  nextSiblingOf,
  nodeTypeOf,
  rectOf,
  rootElement,
  TEXT,
  tagOf,
} from "../dom/dom.ts";
import type { HiddenReason } from "../protocol.ts";
import { Colors, hasOwnText } from "./colors.ts";
import type { Facts } from "./facts.ts";
import type { Reading } from "./reading.ts";
import { isSvg } from "./roles.ts";

/** No wider than this nothing can be read. CSS pixels. */
const MIN_SIDE = 1;

/** Fainter than this nothing can be read; as in the colors of text. */
const MIN_OPACITY = 0.05;

/** No first line of a paragraph is set in by so much. CSS pixels. */
const FAR = 100;

interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What an element's content is cut to, and where it could be scrolled to. Everything when undefined. */
export interface Clip {
  area: Area;
  /** The element that scrolls it, when it does. */
  scroller?: Element;
}

export class Visibility {
  readonly #reading: Reading;
  readonly #colors: Colors;
  readonly #page = pageArea();
  readonly #root = rootElement();

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#colors = new Colors(reading);
  }

  /** The first reason found, of an element known to be rendered; undefined when it can be seen. */
  hiddenReason(element: Element): HiddenReason | undefined {
    const facts = this.#reading.factsOf(element);
    if (facts.reason === undefined) facts.reason = this.#find(facts) ?? null;
    return facts.reason ?? undefined;
  }

  #find(facts: Facts): HiddenReason | undefined {
    const { element } = facts;
    const rendered = this.#reading.renderingOf(facts);
    if (rendered !== "opaque") {
      if (!this.#reading.isShown(element)) {
        return this.#reading.styleOf(element).display === "none" ? "display" : "visibility";
      }
      if (rendered === "transparent") return "opacity";
      // Without a box: `display: contents`, or an option of a collapsed list.
      return this.#reading.isAriaHidden(element) ? "aria-hidden" : undefined;
    }
    const style = this.#reading.styleIn(facts);
    const own = rectOf(element);
    if (clipsItself(style, own)) return "clipped";
    const rect = own.width > 0 && own.height > 0 ? own : visibleRect(element);
    if (!rect) return "zero-size";
    const reason = this.#cutBy(this.#clipOf(facts, style), rect);
    if (reason) return reason;
    facts.hasText ??= hasOwnText(element);
    const unread = facts.hasText ? this.#findOfText(facts, style, rect) : undefined;
    if (unread) return unread;
    return this.#reading.isAriaHidden(element) ? "aria-hidden" : undefined;
  }

  /** Why an element's own text could not be read, though the element itself is in sight. */
  #findOfText(facts: Facts, style: CSSStyleDeclaration, rect: DOMRect): HiddenReason | undefined {
    // Pictures are drawn in units of their own.
    if (Number.parseFloat(style.fontSize) <= MIN_SIDE && !isSvg(facts.element)) return "zero-size";
    if (this.#opacityOf(facts) < MIN_OPACITY) return "opacity";
    if (this.#colors.hidesText(facts, rect)) return "same-color";
    const { textIndent } = style;
    return textIndent !== "0px" && isFar(textIndent) ? this.#cutText(facts) : undefined;
  }

  #opacityOf(facts: Facts): number {
    for (const at of this.#reading.without("opacity", facts)) {
      const around = this.#reading.parentOf(at)?.opacity ?? 1;
      at.opacity = around * Number(this.#reading.styleIn(at).opacity);
    }
    return facts.opacity ?? 1;
  }

  /** Text that is set in so far that no line of it is left in sight. */
  #cutText(facts: Facts): HiddenReason | undefined {
    const clip = this.#inside(facts);
    let reason: HiddenReason | undefined;
    for (const line of linesOf(facts.element)) {
      reason = this.#cutBy(clip, line);
      if (!reason) return undefined;
    }
    return reason;
  }

  /** Cut away by an ancestor or itself, or placed where no scrolling reaches. */
  #cutBy(clip: Clip | null, rect: Area): HiddenReason | undefined {
    if (!clip) return this.#isReachable(rect) ? undefined : "off-screen";
    const { area, scroller } = clip;
    if (isThin(area)) return "clipped";
    if (scroller && !isReachableIn(scroller, rect)) return "off-screen";
    if (scroller) return this.#isReachable(area) ? undefined : "off-screen";
    if (isThin(intersection(rect, area))) return this.#isReachable(rect) ? "clipped" : "off-screen";
    return this.#isReachable(area) ? undefined : "off-screen";
  }

  /** Could be scrolled into the window. */
  #isReachable({ left, right, bottom }: Area): boolean {
    const { scrollX, scrollY, isRightToLeft, width } = this.#page;
    if (bottom + scrollY <= 0) return false;
    return isRightToLeft ? left < width : right + scrollX > 0;
  }

  /** What the ancestors leave of an element's place, by its containing blocks. */
  #clipOf(facts: Facts, style: CSSStyleDeclaration): Clip | null {
    let parent = this.#reading.parentOf(facts);
    // Where the parent's content is not cut, no containing block further out cuts it either.
    if (!parent || this.#inside(parent) === null) return null;
    const { position } = style;
    if (position === "fixed") return null;
    while (position === "absolute" && parent && this.#reading.styleOf(parent.element).position === "static") {
      parent = this.#reading.parentOf(parent);
    }
    return parent ? this.#inside(parent) : null;
  }

  #inside(facts: Facts): Clip | null {
    for (const at of this.#reading.without("clip", facts)) at.clip = this.#computeInside(at);
    return facts.clip ?? null;
  }

  #computeInside(facts: Facts): Clip | null {
    const { element } = facts;
    if (element === this.#root) return null;
    const style = this.#reading.styleIn(facts);
    const [overflowX = "", overflowY = overflowX] = overflowOf(style);
    const outer = this.#clipOf(facts, style);
    if (tagOf(element) === "body" || (overflowX === "visible" && overflowY !== "clip" && !cutsOtherwise(style)))
      return outer;
    if (/^(inline|contents)$/.test(style.display)) return outer;
    const rect = rectOf(element);
    const own: Area = clipsItself(style, rect) ? NOWHERE : rect;
    const area = outer && !outer.scroller ? intersection(own, outer.area) : own;
    const scrolls = /auto|scroll/.test(`${overflowX} ${overflowY}`);
    return scrolls && !isThin(area) ? { area, scroller: element } : { area };
  }
}

const NOWHERE: Area = { left: 0, top: 0, right: 0, bottom: 0 };

const VISIBLE = ["visible"];

/** In x, and in y unless that is the same. */
function overflowOf({ overflow }: CSSStyleDeclaration): string[] {
  return overflow === "visible" ? VISIBLE : overflow.split(" ");
}

function cutsOtherwise(style: CSSStyleDeclaration): boolean {
  return style.clipPath !== "none" || (style.clip !== "auto" && isLifted(style.position));
}

/** Out of the flow; `clip` works on nothing else. */
function isLifted(position: string): boolean {
  return position === "absolute" || position === "fixed";
}

function intersection(a: Area, b: Area): Area {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

function isThin({ left, top, right, bottom }: Area): boolean {
  return right - left <= MIN_SIDE || bottom - top <= MIN_SIDE;
}

/** `clip: rect(0 0 0 0)`, `clip-path: inset(50%)` and one-pixel boxes: the ways to keep text for screen readers only. */
function clipsItself(style: CSSStyleDeclaration, rect: Area): boolean {
  if (isThin(rect) && style.overflowX !== "visible") return true;
  const { clipPath } = style;
  if (clipPath !== "none" && isEmptyShape(clipPath)) return true;
  const { clip } = style;
  if (clip === "auto" || !isLifted(style.position)) return false;
  const sides = /rect\(([^)]*)\)/
    .exec(clip)?.[1]
    ?.split(/[\s,]+/)
    .map(Number.parseFloat);
  const [top = 0, right = 0, bottom = 0, left = 0] = sides ?? [];
  return sides !== undefined && (right - left <= MIN_SIDE || bottom - top <= MIN_SIDE);
}

function isEmptyShape(clipPath: string): boolean {
  const inset = /^inset\((\d+(?:\.\d+)?)%/.exec(clipPath);
  return (inset !== null && Number(inset[1]) >= 50) || /^(circle|ellipse)\(0(px|%)?[ )]/.test(clipPath);
}

/** A share of the width may be all of it. */
function isFar(indent: string): boolean {
  return indent.includes("%") || Math.abs(Number.parseFloat(indent)) >= FAR;
}

/** The lines that an element's own text is drawn on. */
function linesOf(element: Element): DOMRect[] {
  const range = document.createRange();
  const lines: DOMRect[] = [];
  for (let child = firstChildOf(element); child; child = nextSiblingOf(child)) {
    if (nodeTypeOf(child) !== TEXT) continue;
    range.selectNodeContents(child);
    lines.push(...range.getClientRects());
  }
  return lines;
}

/** The element's rectangle, or its content's where its own is empty (floats, `height: 0`). */
function visibleRect(element: Element): DOMRect | undefined {
  const rect = rectOf(element);
  if (rect.width > 0 && rect.height > 0) return rect;
  let left = 12;
  for (const child of childElementsOf(element)) {
    if (--left < 0) break;
    const inner = visibleRect(child);
    if (inner) return inner;
  }
  return undefined;
}

interface PageArea {
  scrollX: number;
  scrollY: number;
  /** Right-to-left pages scroll to the left. */
  isRightToLeft: boolean;
  width: number;
}

function pageArea(): PageArea {
  const root = rootElement();
  const isRightToLeft = root !== null && getComputedStyle(root).direction === "rtl";
  return { scrollX: window.scrollX, scrollY: window.scrollY, isRightToLeft, width: root?.clientWidth ?? 0 };
}

function isReachableIn(scroller: Element, rect: Area): boolean {
  const frame = rectOf(scroller);
  const isRightToLeft = getComputedStyle(scroller).direction === "rtl";
  if (rect.bottom - frame.top + scroller.scrollTop <= 0) return false;
  return isRightToLeft || rect.right - frame.left + scroller.scrollLeft > 0;
}
