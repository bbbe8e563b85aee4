/** Comparing text the way selectors ask for it. */
import type { TextMatch } from "../protocol.ts";

type Matcher = (text: string) => boolean;

/** For `auto`, contained with case ignored. */
export function textMatcher({ text, how, flags }: TextMatch): Matcher {
  if (how === "regex") {
    const regex = new RegExp(text, flags?.replace(/[gy]/g, ""));
    return (candidate) => regex.test(candidate);
  }
  const wanted = text.replace(/\s+/g, " ").trim();
  if (how === "exact") return (candidate) => candidate === wanted;
  const folded = wanted.toLowerCase();
  if (how === "ignore-case") return (candidate) => candidate.toLowerCase() === folded;
  return (candidate) => candidate.toLowerCase().includes(folded);
}

/** `auto` takes those that are equal when there are any, so that "Password" is not also "Confirm password". */
export function matchTexts(elements: Element[], textsOf: (element: Element) => string[], match: TextMatch): Element[] {
  const select = (matches: Matcher) => elements.filter((element) => textsOf(element).some(matches));
  if (match.how !== "auto") return select(textMatcher(match));
  for (const how of ["exact", "ignore-case"] as const) {
    const equal = select(textMatcher({ ...match, how }));
    if (equal.length > 0) return equal;
  }
  return select(textMatcher(match));
}
