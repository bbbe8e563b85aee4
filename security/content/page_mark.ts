/** The mark around what a page says: one pair around it, named by a number that no page can know beforehand. */
import { randomBytes } from "node:crypto";

/** It is made after the page was read, so that nothing in the page can name it. */
const NONCE_BYTES = 4;
/** Characters: both marks together stay within 70 bytes or little more. */
const MAX_ORIGIN = 60;

export interface PageMark {
  /** `⟦page 8f3c21ab https://shop.example⟧` */
  open: string;
  /** `⟦/page 8f3c21ab⟧` */
  close: string;
}

/** A piece of an answer. With a mark it is a page's, without it is ours. */
export interface Segment {
  text: string;
  /** A warning of ours, which is no part of what is written to a file. */
  isAside?: true;
  mark?: PageMark;
}

/** `origin` is undefined of what several pages say, and of a page that has none. */
export function newMark(origin?: string): PageMark {
  const nonce = randomBytes(NONCE_BYTES).toString("hex");
  return {
    open: `⟦page ${nonce}${origin === undefined ? "" : ` ${origin.slice(0, MAX_ORIGIN)}`}⟧`,
    close: `⟦/page ${nonce}⟧`,
  };
}

/** The pieces one after another, each of a page between its marks, which stand on lines of their own. */
export function markedText(segments: readonly Segment[]): string {
  return segments
    .map(({ text, mark }, index) => (mark ? between(text, mark, index < segments.length - 1) : text))
    .join("");
}

/** The pieces of a text that holds answers which are marked already. */
export function segmentsIn(text: string, marks: readonly PageMark[]): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  for (const mark of marks) {
    const from = text.indexOf(mark.open, at);
    const to = from < 0 ? -1 : text.indexOf(mark.close, from);
    if (to < 0) continue;
    segments.push({ text: text.slice(at, from) }, { text: text.slice(from + mark.open.length + 1, to), mark });
    at = to + mark.close.length;
    if (text.charAt(at) === "\n") at++;
  }
  return [...segments, { text: text.slice(at) }].filter(({ text, mark }) => text !== "" || mark);
}

/** What lies between two places, counted without marks, with the marks that it needs. */
export function sliced(segments: readonly Segment[], start: number, end: number): Segment[] {
  let before = 0;
  return segments.flatMap(({ text, ...rest }) => {
    const from = Math.max(0, start - before);
    const to = Math.min(text.length, end - before);
    before += text.length;
    return from < to ? [{ ...rest, text: text.slice(from, to) }] : [];
  });
}

function between(text: string, { open, close }: PageMark, goesOn: boolean): string {
  return `${open}\n${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${close}${goesOn ? "\n" : ""}`;
}
