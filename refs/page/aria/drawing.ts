/** How what is drawn in an element comes out: transparency, filters and masks of all it is in, and transforms. */
import { offsetHeightOf, offsetWidthOf } from "../dom/dom.ts";
import type { HiddenReason } from "../protocol.ts";
import type { Facts } from "./facts.ts";
import type { Reading } from "./reading.ts";
import { isSvg } from "./roles.ts";

/** Fainter than this nothing can be read. */
const MIN_OPACITY = 0.1;
/** Smaller than this nothing can be read. CSS pixels, as drawn. */
const MIN_FONT = 2;
/** In a blur of this share of the letters' size nothing can be read. */
const MAX_BLUR = 0.5;

/** Of an element, with all around it. */
export interface Effects {
  /** 1 for opaque. */
  opacity: number;
  /** Radius in CSS pixels. */
  blur: number;
  isMasked: boolean;
}

const NONE: Effects = { opacity: 1, blur: 0, isMasked: false };

export class Drawing {
  readonly #reading: Reading;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Why text in it can't be read for the way it is drawn. */
  reasonIn(facts: Facts, rect: DOMRect): HiddenReason | undefined {
    const style = this.#reading.styleIn(facts);
    const fontSize = Number.parseFloat(style.fontSize);
    if (isTooSmall(facts.element, fontSize, rect)) return "zero-size";
    const { opacity, blur, isMasked } = this.effectsOn(facts);
    if (opacity <= MIN_OPACITY) return "opacity";
    if (isMasked) return "mask";
    return blur > 0 && blur >= fontSize * MAX_BLUR ? "filter" : undefined;
  }

  effectsOn(facts: Facts): Effects {
    for (const at of this.#reading.without("effects", facts)) {
      const around = this.#reading.parentOf(at)?.effects ?? NONE;
      at.effects = withOwn(around, this.#reading.styleIn(at));
    }
    return facts.effects ?? NONE;
  }
}

function withOwn(around: Effects, style: CSSStyleDeclaration): Effects {
  const { opacity, filter, maskImage } = style;
  if (opacity === "1" && filter === "none" && maskImage === "none") return around;
  return {
    opacity: around.opacity * Number(opacity) * amountIn(filter, /opacity\(([\d.e-]+)\)/, 1),
    blur: Math.max(around.blur, amountIn(filter, /blur\(([\d.e-]+)px\)/, 0)),
    isMasked: around.isMasked || isMaskEmpty(maskImage),
  };
}

function amountIn(filter: string, pattern: RegExp, otherwise: number): number {
  const amount = filter === "none" ? undefined : pattern.exec(filter)?.[1];
  return amount === undefined ? otherwise : Number(amount);
}

/** A gradient that lets nothing through anywhere; of pictures it is not known. */
function isMaskEmpty(maskImage: string): boolean {
  if (!maskImage.includes("gradient(") || maskImage.includes("url(")) return false;
  const colors = maskImage.match(/rgba?\([^)]*\)/g) ?? [];
  return colors.length > 0 && colors.every((color) => /^rgba.*, 0\)$/.test(color));
}

/** By its font, or by transforms of it and of what it is in. Pictures are drawn in units of their own. */
function isTooSmall(element: Element, fontSize: number, rect: DOMRect): boolean {
  if (isSvg(element)) return rect.height > 0 && rect.height <= MIN_FONT;
  if (fontSize <= MIN_FONT) return true;
  const width = offsetWidthOf(element);
  const height = offsetHeightOf(element);
  if (!width || !height || !rect.width || !rect.height) return false;
  const scale = Math.sqrt((rect.width * rect.height) / (width * height));
  // A turned box has its sides the other way round.
  const thinness = Math.min(rect.width, rect.height) / Math.min(width, height);
  return fontSize * Math.min(scale, thinness) <= MIN_FONT;
}
