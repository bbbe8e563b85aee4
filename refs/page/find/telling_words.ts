/** By which words of its name an element is told from all others of its role: for scripts in which a word is an argument. */
import type { Describer } from "../aria/describe.ts";
import { candidatesFor } from "../aria/role_candidates.ts";
import { queryAll, rootOf, textContentOf } from "../dom/dom.ts";

/** Shorter ones stand in all kinds of others. */
const WORD = /[\p{L}\p{N}]{3,}/gu;
const MAX_WORDS = 20;
/** Longer names are texts. Characters. */
const MAX_NAME = 200;
/** With more elements to hold it against, nothing is said: every action pays for it. */
const MAX_CANDIDATES = 500;

/** In lower case; none where that cannot be told. */
export function tellingWords(element: Element, describer: Describer): string[] {
  const role = describer.roleOf(element);
  const name = role === undefined ? "" : describer.nameOf(element, role);
  if (role === undefined || name === "" || name.length > MAX_NAME) return [];
  let words = [...new Set(name.toLowerCase().match(WORD) ?? [])].slice(0, MAX_WORDS);
  // One that is like it in another tree makes the script's step ambiguous, which presses nothing.
  const all = queryAll(rootOf(element), candidatesFor(role));
  if (all.length > MAX_CANDIDATES) return [];
  const others = all.filter((other) => other !== element && describer.roleOf(other) === role);
  // Most have their name from their text, which costs less.
  for (const nameOf of [textContentOf, (other: Element) => describer.nameOf(other, role)]) {
    for (const other of others) {
      if (words.length === 0) return [];
      const said = (nameOf(other) ?? "").toLowerCase();
      words = words.filter((word) => !said.includes(word));
    }
  }
  return words;
}
