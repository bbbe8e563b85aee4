/** Marks in a page's text that would read like ours around it. */

/** The brackets of ours, and those that look like them. */
const BRACKETS = /[\u27e6\u27e7\u301a\u301b]/g;

/**
 * The text with such brackets spelled out, whatever stands in them: letters that look like "page" are too many to be told. What a page
 * wrote to end its own quotation early is there to be read, and ends nothing.
 */
export function escapedForgery(text: string): string {
  return text.replace(BRACKETS, (bracket) => `\\u{${bracket.charCodeAt(0).toString(16)}}`);
}
