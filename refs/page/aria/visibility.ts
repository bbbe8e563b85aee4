/** Why a person could not see an element that is rendered: marks for the reader of a snapshot and the content guard. */

import { childElementsOf, rectOf, rootElement, tagOf } from "../dom/dom.ts";
import type { HiddenReason } from "../protocol.ts";
import { type Area, clipsItself, cutsOtherwise, intersection, isThin, NOWHERE, overflowOf } from "./clips.ts";
import { Colors, hasOwnText } from "./colors.ts";
import { Covers } from "./covers.ts";
import { Drawing } from "./drawing.ts";
import type { Facts } from "./facts.ts";
import { linesOf } from "./lines.ts";
import { isReachableIn, Places } from "./places.ts";
import type { Reading } from "./reading.ts";

/** No first line of a paragraph is set in by so much. CSS pixels. */
const FAR = 100;

/** What an element's content is cut to, and where it could be scrolled to. Everything when undefined. */
export interface Clip {
  area: Area;
  /** The element that scrolls it, when it does. */
  scroller?: Element;
}

interface VisibilityOptions {
  /** Looks for what lies over texts, too: for readers of a page, whose words are to be what can be read now. */
  looksBeneath?: boolean;
}

export class Visibility {
  readonly #reading: Reading;
  readonly #colors: Colors;
  readonly #drawing: Drawing;
  readonly #places: Places;
  readonly #covers: Covers | undefined;
  readonly #root = rootElement();

  constructor(reading: Reading, { looksBeneath = false }: VisibilityOptions = {}) {
    this.#reading = reading;
    this.#colors = new Colors(reading);
    this.#drawing = new Drawing(reading);
    this.#places = new Places(reading);
    this.#covers = looksBeneath ? new Covers(reading, this.#drawing) : undefined;
  }

  /** The first reason found, of an element known to be rendered; undefined when it can be seen. */
  hiddenReason(element: Element): HiddenReason | undefined {
    const facts = this.#reading.factsOf(element);
    if (facts.reason === undefined) facts.reason = this.#find(facts) ?? null;
    return facts.reason ?? undefined;
  }

  /** Of an element that is clipped: what cuts it shows something else, as where slides and long lists are cut off. */
  isCutOff(element: Element): boolean {
    const facts = this.#reading.factsOf(element);
    const clip = this.#clipOf(facts, this.#reading.styleIn(facts));
    return clip !== null && !isThin(clip.area);
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
    const rect = own.width > 0 && own.height > 0 ? own : (visibleRect(element) ?? linesOf(element).find(isArea));
    if (!rect) return "zero-size";
    const reason = this.#cutBy(this.#clipOf(facts, style), rect, facts);
    if (reason) return reason;
    facts.hasText ??= hasOwnText(element);
    const unread = facts.hasText ? this.#findOfText(facts, style, rect) : undefined;
    if (unread) return unread;
    return this.#reading.isAriaHidden(element) ? "aria-hidden" : undefined;
  }

  /** Why an element's own text could not be read, though the element itself is in sight. */
  #findOfText(facts: Facts, style: CSSStyleDeclaration, rect: DOMRect): HiddenReason | undefined {
    const drawn = this.#drawing.reasonIn(facts, rect);
    if (drawn) return drawn;
    if (this.#colors.hidesText(facts, rect)) return "same-color";
    const { textIndent } = style;
    const indented = textIndent !== "0px" && isFar(textIndent) ? this.#cutText(facts) : undefined;
    return indented ?? (this.#covers?.hide(facts, rect) ? "covered" : undefined);
  }

  /** Text that is set in so far that no line of it is left in sight. */
  #cutText(facts: Facts): HiddenReason | undefined {
    const clip = this.#inside(facts);
    let reason: HiddenReason | undefined;
    for (const line of linesOf(facts.element)) {
      reason = this.#cutBy(clip, line, facts);
      if (!reason) return undefined;
    }
    return reason;
  }

  /** Cut away by an ancestor or itself, or placed where no scrolling reaches. */
  #cutBy(clip: Clip | null, rect: Area, facts: Facts): HiddenReason | undefined {
    const isReachable = (area: Area) => this.#places.isReachable(area, facts);
    if (!clip) return isReachable(rect) ? undefined : "off-screen";
    const { area, scroller } = clip;
    if (isThin(area)) return "clipped";
    if (scroller && !isReachableIn(scroller, rect)) return "off-screen";
    if (scroller) return isReachable(area) ? undefined : "off-screen";
    if (isThin(intersection(rect, area))) return isReachable(rect) ? "clipped" : "off-screen";
    return isReachable(area) ? undefined : "off-screen";
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

/** A share of the width may be all of it. */
function isFar(indent: string): boolean {
  return indent.includes("%") || Math.abs(Number.parseFloat(indent)) >= FAR;
}

function isArea({ width, height }: DOMRect): boolean {
  return width > 0 && height > 0;
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
