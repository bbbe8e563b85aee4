/** Text in the color of what is behind it. */
import { firstChildOf, flatParentOf, nextSiblingOf, nodeTypeOf, TEXT, tagOf, textContentOf } from "../dom/dom.ts";
import type { Facts } from "./facts.ts";
import type { Reading } from "./reading.ts";

export interface Color {
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

/** Colors nearer than this, as the sum of the channels' differences, can't be told apart on a screen. */
const MIN_DIFFERENCE = 24;

const WHITE: Color = { red: 255, green: 255, blue: 255, alpha: 1 };

export function hasOwnText(element: Element): boolean {
  for (let child = firstChildOf(element); child; child = nextSiblingOf(child)) {
    if (nodeTypeOf(child) === TEXT && /\S/.test(textContentOf(child) ?? "")) return true;
  }
  return false;
}

export class Colors {
  readonly #reading: Reading;
  readonly #parsed = new Map<string, Color | undefined>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** True when the element's own text can't be told from what it stands on. */
  hidesText(facts: Facts, rect: DOMRect): boolean {
    const { element } = facts;
    const style = this.#reading.styleIn(facts);
    const drawn = this.#parse(style.webkitTextFillColor);
    if (!drawn) return false;
    const background = this.#backgroundOf(facts);
    const isDrawn = drawn.alpha >= 0.05 && (!background || difference(drawn, background) > MIN_DIFFERENCE);
    if (isDrawn || style.backgroundClip.includes("text") || style.textShadow !== "none") return false;
    return drawn.alpha < 0.05 || !this.#mayStandOut(element, rect);
  }

  /** The nearest color behind the element; null when it is a mixture. Pictures are looked for only in doubt. */
  #backgroundOf(facts: Facts): Color | null {
    for (const at of this.#reading.without("background", facts)) at.background = this.#computeBackground(at);
    return facts.background ?? null;
  }

  #computeBackground(facts: Facts): Color | null {
    const { element } = facts;
    const style = this.#reading.styleIn(facts);
    const color = this.#parse(style.backgroundColor);
    if (!color || color.alpha === 1) return color ?? null;
    if (color.alpha > 0) return null;
    const parent = this.#reading.parentOf(facts);
    if (parent) return parent.background ?? null;
    return tagOf(element) === "html" && style.colorScheme.includes("dark") ? null : WHITE;
  }

  /** True when a picture or gradient is behind the text after all, or something that it may have been laid over. */
  #mayStandOut(element: Element, rect: DOMRect): boolean {
    let isPositioned = false;
    for (let current: Element | undefined = element; current; current = flatParentOf(current)) {
      const style = this.#reading.styleOf(current);
      if (style.backgroundImage !== "none") return true;
      if (this.#parse(style.backgroundColor)?.alpha === 1) break;
      isPositioned ||= style.position !== "static" || style.transform !== "none";
    }
    return this.#isOverSomethingElse(element, rect, isPositioned);
  }

  /**
   * Positioned text may lie over a sibling's picture or color. Where it is in the window the browser tells what is
   * beneath; elsewhere nothing is claimed.
   */
  #isOverSomethingElse(element: Element, rect: DOMRect, isPositioned: boolean): boolean {
    const x = rect.left + rect.width / 2;
    const y = rect.top + rect.height / 2;
    const inWindow = x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
    if (!inWindow) return isPositioned;
    for (const beneath of Document.prototype.elementsFromPoint.call(document, x, y)) {
      if (beneath.contains(element) || element.contains(beneath)) continue;
      if (["img", "video", "canvas", "svg", "picture", "iframe"].includes(tagOf(beneath))) return true;
      const style = this.#reading.styleOf(beneath);
      if (style.backgroundImage !== "none" || (this.#parse(style.backgroundColor)?.alpha ?? 1) > 0) return true;
    }
    return false;
  }

  /** `rgb()` and `rgba()` as computed styles give them; other color spaces aren't compared. */
  #parse(text: string): Color | undefined {
    if (this.#parsed.has(text)) return this.#parsed.get(text);
    const match = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
    const color = match
      ? { red: Number(match[1]), green: Number(match[2]), blue: Number(match[3]), alpha: Number(match[4] ?? 1) }
      : undefined;
    this.#parsed.set(text, color);
    return color;
  }
}

function difference(a: Color, b: Color): number {
  return Math.abs(a.red - b.red) + Math.abs(a.green - b.green) + Math.abs(a.blue - b.blue);
}
