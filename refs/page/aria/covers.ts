/** Text that lies beneath something else for good. */
import { body, elementMatches, flatParentOf, rootElement, tagOf, textContentOf } from "../dom/dom.ts";
import { elementAt, holds } from "../dom/geometry.ts";
import type { Point } from "../protocol.ts";
import { parseColor } from "./colors.ts";
import type { Drawing } from "./drawing.ts";
import type { Facts } from "./facts.ts";
import { linesOf } from "./lines.ts";
import type { Reading } from "./reading.ts";

/** To ask what is at a point costs as much as ten styles: texts that are looked beneath in one reading, and points of each. */
const MAX_TEXTS = 300;
const MAX_POINTS = 3;
/** Shorter ones tell nobody what to do. Characters. */
const MIN_TEXT = 20;
const OPAQUE = 0.95;
/** Beside text. */
const LAYER = "[popover], :has(button, input, img, svg, canvas, video, iframe)";

export class Covers {
  readonly #reading: Reading;
  readonly #drawing: Drawing;
  #left = MAX_TEXTS;

  constructor(reading: Reading, drawing: Drawing) {
    this.#reading = reading;
    this.#drawing = drawing;
  }

  /** True when all of its text that is in the window lies beneath what stays there: not beneath a bar, a menu or a dialog. */
  hide(facts: Facts, rect: DOMRect): boolean {
    const { element } = facts;
    const middle = middleOf(rect);
    if (this.#left <= 0 || !isInWindow(middle) || !holdsText(element, MIN_TEXT)) return false;
    this.#left--;
    const hit = elementAt(middle);
    if (!hit || holds(element, hit)) return false;
    const points = linesOf(element)
      .filter(({ width }) => width > 0)
      .map(middleOf)
      .filter(isInWindow)
      .slice(0, MAX_POINTS);
    return points.length > 0 && points.every((point) => this.#isBeneath(facts, point));
  }

  /** The browser lists what is at a point from the top down, without what lets the pointer through; an element that has a lower layer of its own comes after what it is in. */
  #isBeneath(facts: Facts, { x, y }: Point): boolean {
    const { element } = facts;
    const root = this.#reading.rootOf(facts);
    const layers = root instanceof ShadowRoot ? root.elementsFromPoint(x, y) : elementsAt(x, y);
    const own = layers.findIndex((layer) => holds(element, layer));
    return layers.slice(0, Math.max(own, 0)).some((layer) => this.#isCover(layer, element));
  }

  #isCover(layer: Element, element: Element): boolean {
    if (layer === rootElement() || (layer === body() && this.#paintsWindow(layer))) return false;
    const facts = this.#reading.factsOf(layer);
    if ((parseColor(this.#reading.styleIn(facts).backgroundColor)?.alpha ?? 0) < OPAQUE) return false;
    const { opacity, isMasked } = this.#drawing.effectsOn(facts);
    return opacity >= OPAQUE && !isMasked && !this.#passes(layer, element);
  }

  /** The window has the color of the root, or else of the body, which lies beneath everything then (CSS Backgrounds 3, 2.11.2). */
  #paintsWindow(bodyElement: Element): boolean {
    const root = flatParentOf(bodyElement);
    const { backgroundColor = "", backgroundImage = "none" } = root ? this.#reading.styleOf(root) : {};
    return backgroundImage === "none" && (parseColor(backgroundColor)?.alpha ?? 0) === 0;
  }

  /** Goes away again, or moves on when the page is scrolled: what is in a layer of its own and has something to show. */
  #passes(layer: Element, element: Element): boolean {
    for (let at: Element | undefined = layer; at && !holds(at, element); at = flatParentOf(at)) {
      const { position } = this.#reading.styleOf(at);
      if (position === "fixed" || position === "sticky" || tagOf(at) === "dialog") return true;
      if (position === "absolute" && (holdsText(at, 1) || elementMatches(at, LAYER))) return true;
    }
    return false;
  }
}

function holdsText(element: Element, length: number): boolean {
  return (textContentOf(element) ?? "").trim().length >= length;
}

const { elementsFromPoint } = Document.prototype;

function elementsAt(x: number, y: number): Element[] {
  return elementsFromPoint.call(document, x, y);
}

function middleOf({ left, top, width, height }: DOMRect): Point {
  return { x: left + width / 2, y: top + height / 2 };
}

function isInWindow({ x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
}
