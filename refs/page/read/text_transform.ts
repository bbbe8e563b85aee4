/** `text-transform`: the letters that are drawn instead of those that are written. */
import { attributeOf, closestAcross } from "../dom/dom.ts";

interface Place {
  element: Element;
  /** The character drawn before the text; a space where a line or cell begins. */
  before: string;
}

/** By CSS Text 3, as Chromium draws it; widths and kana are left as they are. */
export function transformText(text: string, transform: string, { element, before }: Place): string {
  if (transform === "none") return text;
  if (transform.includes("uppercase")) return inLanguageOf(element, (lang) => text.toLocaleUpperCase(lang));
  if (transform.includes("lowercase")) return inLanguageOf(element, (lang) => text.toLocaleLowerCase(lang));
  return transform.includes("capitalize") ? capitalize(text, before) : text;
}

/** Some languages have letters of their own for it: Turkish, Greek, Lithuanian. */
function inLanguageOf(element: Element, change: (lang: string) => string): string {
  const holder = closestAcross(element, "[lang]");
  try {
    return change((holder && attributeOf(holder, "lang")) || NO_LANGUAGE);
  } catch {
    // No such language.
    return change(NO_LANGUAGE);
  }
}

const NO_LANGUAGE = "und";

/** Only a word's first character changes, and only into one character. */
function capitalize(text: string, before: string): string {
  let capitalized = "";
  for (const { segment } of new Intl.Segmenter("en", { granularity: "word" }).segment(before + text)) {
    const first = segment.charAt(0);
    const upper = first.toUpperCase();
    capitalized += (upper.length === 1 ? upper : first) + segment.slice(1);
  }
  return capitalized.slice(before.length);
}
