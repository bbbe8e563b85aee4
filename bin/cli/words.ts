/** One line as a shell would split it: blanks part words, quotes and backslashes keep them together. */
import { Failure } from "./failure.ts";

/** A comment, or a part of a word: '…', "…", an escaped character, plain text, or the blank that ends it. */
const PART = /((?<!\S)#(?:\s.*|$)|(?<=^\s*)#.*)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|\s+|(.)/gy;

/**
 * The words of a line. Single quotes keep everything; in double quotes a backslash escapes `"` and `\`; a `#` at
 * the line's start, or alone, starts a comment, where `#id` is a selector. Nothing is expanded. Throws `Failure` for a quote that is never closed.
 */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part, comment, single, double, escaped, plain, stray] of line.matchAll(PART)) {
    if (stray)
      throw new Failure(`The ${stray} is never closed`, "Close it, or put a backslash before it", "invalid_params");
    if (comment) break;
    const text = single ?? double?.replace(/\\(["\\])/g, "$1") ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? "") + text;
    else if (part && word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}
