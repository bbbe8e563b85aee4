/** The smallest elements of one tree that hold a text, found without asking what is shown: a first, wide sieve. */

import { isIgnored } from "../aria/reading.ts";
import {
  childElementsOf,
  firstChildOf,
  isElement,
  nextSiblingOf,
  nodeTypeOf,
  TEXT,
  textContentOf,
} from "../dom/dom.ts";
import type { TextMatch } from "../protocol.ts";
import { textMatcher } from "./text_match.ts";

export function smallestHolders(root: Node, match: TextMatch): Element[] {
  const holds = match.how === "regex" ? regexSieve(match) : wordSieve(match);
  const found: Element[] = [];
  for (const top of topsOf(root)) collect(top, holds, match.how !== "regex", found);
  return found;
}

/** Answers whether anything was found; with `prunes`, what does not hold the text has no child that does. */
function collect(element: Element, holds: (text: string) => boolean, prunes: boolean, found: Element[]): boolean {
  if (isIgnored(element)) return false;
  const own = holds(textContentOf(element) ?? "");
  if (prunes && !own) return false;
  let inChild = false;
  for (const child of childElementsOf(element)) inChild = collect(child, holds, prunes, found) || inChild;
  if (inChild || !own || !holds(readableText(element))) return inChild;
  found.push(element);
  return true;
}

/** White space is set aside: where lines break none may stand in the source. */
function wordSieve({ text: wantedText }: TextMatch): (text: string) => boolean {
  const wanted = squeezed(wantedText);
  return (text) => squeezed(text).includes(wanted);
}

function regexSieve(match: TextMatch): (text: string) => boolean {
  const matches = textMatcher(match);
  return (text) => matches(text.replace(/\s+/g, " ").trim());
}

function squeezed(text: string): string {
  return text.replace(/[\s\u200b\u00ad]+/g, "").toLowerCase();
}

/** Text content but for scripts and styles. */
function readableText(element: Element): string {
  let text = "";
  for (let child = firstChildOf(element); child; child = nextSiblingOf(child)) {
    if (isElement(child)) text += isIgnored(child) ? "" : readableText(child);
    else if (nodeTypeOf(child) === TEXT) text += textContentOf(child) ?? "";
  }
  return text;
}

function topsOf(root: Node): Element[] {
  if (isElement(root)) return [root];
  const tops: Element[] = [];
  for (let child = firstChildOf(root); child; child = nextSiblingOf(child)) if (isElement(child)) tops.push(child);
  return tops;
}
