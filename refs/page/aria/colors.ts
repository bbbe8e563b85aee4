/** Text in the color of what is behind it. */
import { firstChildOf, flatParentOf, nextSiblingOf, nodeTypeOf, TEXT, tagOf, textContentOf } from "../dom/dom.ts";
import type { Facts } from "./facts.ts";
import type { Reading } from "./reading.ts";
import { isSvg } from "./roles.ts";

export interface Color {
  red: number;
  green: number;
  blue: number;
  alpha: number;
}

/** Colors nearer than this, as the sum of the channels' differences, can't be told apart on a screen. */
const MIN_DIFFERENCE = 24;
/** Those further apart are of other hues, whatever their contrast. */
const MAX_DIFFERENCE = 60;
/** Below this ratio letters are lost in what is behind them. */
const MIN_CONTRAST = 1.2;
/** Fainter than this nothing can be read. */
const MIN_ALPHA = 0.1;

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
    const style = this.#reading.styleIn(facts);
    // What lies beneath in a picture is shapes of it.
    if (isSvg(facts.element)) return style.fill === "none" && style.stroke === "none";
    const drawn = this.#parse(style.webkitTextFillColor);
    if (!drawn) return false;
    const background = this.#backgroundOf(facts);
    const isDrawn = drawn.alpha > MIN_ALPHA && (!background || isApart(over(drawn, background), background));
    if (isDrawn || this.#isDrawnOtherwise(style)) return false;
    return drawn.alpha <= MIN_ALPHA || !this.#mayStandOut(facts.element, rect);
  }

  /** By its outline, its shadow, or as a hole in a background. */
  #isDrawnOtherwise(style: CSSStyleDeclaration): boolean {
    const shown = (text: string) => (this.#parse(text)?.alpha ?? 1) > MIN_ALPHA;
    if (style.backgroundClip.includes("text")) return style.backgroundImage !== "none" || shown(style.backgroundColor);
    if (style.textShadow !== "none") return !/^rgba\(\d+, \d+, \d+, 0\)[^(]*$/.test(style.textShadow);
    return style.webkitTextStrokeWidth !== "0px" && shown(style.webkitTextStrokeColor);
  }

  /** The nearest color behind the element; null when it can't be told. Pictures are looked for only in doubt. */
  #backgroundOf(facts: Facts): Color | null {
    for (const at of this.#reading.without("background", facts)) at.background = this.#computeBackground(at);
    return facts.background ?? null;
  }

  #computeBackground(facts: Facts): Color | null {
    const { element } = facts;
    const style = this.#reading.styleIn(facts);
    const color = this.#parse(style.backgroundColor);
    if (!color || color.alpha === 1) return color ?? null;
    const parent = this.#reading.parentOf(facts);
    const isDark = !parent && tagOf(element) === "html" && style.colorScheme.includes("dark");
    const behind = parent ? parent.background : isDark ? null : WHITE;
    return behind ? over(color, behind) : null;
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

  #parse(text: string): Color | undefined {
    if (this.#parsed.has(text)) return this.#parsed.get(text);
    const color = parseColor(text);
    this.#parsed.set(text, color);
    return color;
  }
}

/** `rgb()` and `rgba()` as computed styles give them, and other color spaces as they are drawn; undefined for what is no color. */
export function parseColor(text: string): Color | undefined {
  const match = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(text);
  if (!match) return /^[a-z]+\(/.test(text) ? drawnColor(text) : undefined;
  return { red: Number(match[1]), green: Number(match[2]), blue: Number(match[3]), alpha: Number(match[4] ?? 1) };
}

/** Stays where a text is no color. */
const UNLIKELY = "#123456";

let pixel: OffscreenCanvasRenderingContext2D | null | undefined;

function drawnColor(text: string): Color | undefined {
  pixel ??= new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!pixel) return undefined;
  pixel.fillStyle = UNLIKELY;
  pixel.fillStyle = text;
  if (pixel.fillStyle === UNLIKELY) return undefined;
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = pixel.getImageData(0, 0, 1, 1).data;
  return { red, green, blue, alpha: alpha / 255 };
}

/** What is seen of a color that lies over an opaque one. */
function over({ red, green, blue, alpha }: Color, behind: Color): Color {
  if (alpha === 1) return { red, green, blue, alpha };
  if (alpha === 0) return behind;
  const mixed = (own: number, other: number) => own * alpha + other * (1 - alpha);
  return { red: mixed(red, behind.red), green: mixed(green, behind.green), blue: mixed(blue, behind.blue), alpha: 1 };
}

function isApart(a: Color, b: Color): boolean {
  const difference = Math.abs(a.red - b.red) + Math.abs(a.green - b.green) + Math.abs(a.blue - b.blue);
  if (difference <= MIN_DIFFERENCE) return false;
  return difference > MAX_DIFFERENCE || contrast(a, b) >= MIN_CONTRAST;
}

/** WCAG 2.2, "contrast ratio". */
function contrast(a: Color, b: Color): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other);
  return (light + 0.05) / (dark + 0.05);
}

function luminance({ red, green, blue }: Color): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
