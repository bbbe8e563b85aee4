/** What an answer of ours quotes of a page: its title, its addresses, what a dialog says. */
import { cutText } from "../../../security/content/cut_text.ts";
import { escapedForgery } from "../../../security/content/forgery.ts";
import { withTexts } from "./page_texts.ts";

/** Characters: room for an address and a sentence, not for a page of orders. */
const MAX_QUOTED = 200;

/** Names of members that hold places on this machine, which are of use only whole. */
const OF_THIS_MACHINE = /^(?:path|paths|file|files|dir|output)$/;

/** A copy whose texts are no longer than what is quoted, and look like no mark of ours. */
export function quotedParts<T>(value: T): T {
  return withTexts(value, (text, name) =>
    OF_THIS_MACHINE.test(name) ? text : escapedForgery(cutText(text, MAX_QUOTED)),
  );
}

/** A run within quotation marks, as `JSON.stringify` writes them; linear, since no two ways match one run. */
const QUOTED = /"((?:[^"\\]|\\.)*)"/gs;

/** What a sentence of ours quotes. */
export function quotedRuns(sentence: string): string[] {
  return [...sentence.matchAll(QUOTED)].map(([, run = ""]) => run);
}

/** The sentence with others in the place of its quotes, none longer than what is quoted. */
export function withQuotedRuns(sentence: string, replace: (run: string) => string = (run) => run): string {
  return escapedForgery(sentence.replace(QUOTED, (_, run: string) => `"${cutText(replace(run), MAX_QUOTED)}"`));
}

/** The sentence without what it quotes, and without the brackets or colon around that. */
export function withoutQuotes(sentence: string): string {
  return sentence.replace(/(?:: | ?\()?"(?:[^"\\]|\\.)*"\)?/gs, "");
}
