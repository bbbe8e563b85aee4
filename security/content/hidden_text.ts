/** What it says of a page that it hides text: one finding for each way in which it does. */
import type { Finding } from "./finding.ts";

export const HIDING_WAYS = [
  "opacity",
  "zero-size",
  "clipped",
  "off-screen",
  "mask",
  "filter",
  "same-color",
  "covered",
  "screen-readers",
  "label-mismatch",
] as const;
export type HidingWay = (typeof HIDING_WAYS)[number];

/** A text that nobody sees. */
export interface HiddenText {
  how: HidingWay;
  /** Its beginning. */
  text: string;
  /** UTF-16 units of all of it. */
  length: number;
  /** As closed menus, tooltips, slides and what moves in are hidden. */
  isDesign: boolean;
  readsLikeOrders: boolean;
  /** Of `label-mismatch`: what is seen in the place of the text. */
  shows?: string;
}

/** Those of a document that tell most, and how many there are. */
export interface HiddenTexts {
  texts: HiddenText[];
  counts: Partial<Record<HidingWay, number>>;
  /** How many of them are passages of what the page says, neither menus that are closed nor words for screen readers. */
  passages: number;
}

export function countOf({ counts }: HiddenTexts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Shorter ones are words on things, not prose. */
const LONG = 40;
const MAX_QUOTE = 120;

/** Ways in which no text is hidden that is to be seen at another time, or to be heard. */
const MEANT_TO_HIDE: ReadonlySet<HidingWay> = new Set(["opacity", "zero-size", "off-screen", "same-color"]);

const WORDS: Readonly<Record<Exclude<HidingWay, "label-mismatch">, string>> = {
  opacity: "by opacity",
  "zero-size": "by size",
  clipped: "by clipping",
  "off-screen": "by a place out of reach",
  mask: "by a mask",
  filter: "by a filter",
  "same-color": "by the color behind",
  covered: "beneath something else",
  "screen-readers": "from all but screen readers",
};

/** How seldom a text that is hidden so is meant well. */
function scoreOf({ how, text, length, isDesign, readsLikeOrders }: HiddenText): number {
  const isOrder = readsLikeOrders && length >= LONG;
  if (isDesign || how === "screen-readers") return isOrder ? 0.6 : 0.3;
  if (isOrder) return MEANT_TO_HIDE.has(how) ? 0.8 : 0.7;
  // A mark, a number, the letters of an icon's name.
  if (text.length < 4) return 0.2;
  return length >= LONG ? 0.5 : 0.4;
}

/** One a way, each quoting the text that is likeliest to be meant for a program. */
export function hiddenFindings(documents: readonly HiddenTexts[]): Finding[] {
  return HIDING_WAYS.flatMap((how): Finding[] => {
    const texts = documents.flatMap((document) => document.texts.filter((text) => text.how === how));
    const [worst] = texts.sort((a, b) => scoreOf(b) - scoreOf(a) || b.length - a.length);
    if (!worst) return [];
    const count = documents.reduce((sum, { counts }) => sum + (counts[how] ?? 0), 0);
    return [{ layer: "hidden", score: scoreOf(worst), says: wording(worst, count) }];
  });
}

function wording({ how, text, shows = "" }: HiddenText, count: number): string {
  if (how === "label-mismatch") {
    const others = count > 1 ? `, one of ${count} such things` : "";
    return `What shows ${quoted(shows)} is called ${quoted(text)}${others}`;
  }
  return `${count === 1 ? "1 text is" : `${count} texts are`} hidden ${WORDS[how]}: ${quoted(text)}`;
}

/** Without what nobody sees: format characters, controls, tags, halves of pairs. */
function quoted(text: string): string {
  const plain = text.replace(/[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu, "");
  const characters = [...plain];
  return JSON.stringify(characters.length > MAX_QUOTE ? `${characters.slice(0, MAX_QUOTE - 1).join("")}…` : plain);
}
