/** Marks in a page's text that would read like ours around it. */

/** Ours, and those that look like them. Nothing that is seen may stand between the bracket and its word. */
const MARK =
  /[\u27e6\u301a](?<inside>[\s\p{Cf}]{0,9}\/?[\s\p{Cf}]{0,9}page\b[^\u27e6\u27e7\u301a\u301b\n]{0,200})(?<end>[\u27e7\u301b]?)/giu;

/**
 * The text with such marks spelled out: what a page wrote to end its own quotation early is there to be read, and ends nothing. All
 * else is as it was.
 */
export function escapedForgery(text: string): string {
  return text.replace(MARK, (_, inside: string, end: string) => `\\u{27e6}${inside}${end === "" ? "" : "\\u{27e7}"}`);
}
