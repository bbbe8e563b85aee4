/** Where an element stands among others like it: what tells a card of one column from one of the next. */

import { childElementsOf, flatParentOf, parentOf, tagOf } from "../dom/dom.ts";
import type { Described } from "../protocol.ts";
import { hiddenReason } from "./actionable.ts";
import type { PlaceAnswer } from "./protocol.ts";

/** Ancestors that are looked at for one that holds things. */
const MAX_LEVELS = 8;
/** Elements beside it that are counted. */
const MAX_BESIDE = 1_000;
const HOLDERS =
  /^(?:list|listbox|menu|tree|grid|treegrid|table|rowgroup|row|group|region|feed|tablist|toolbar|form|main|article|dialog)$/;

export function placeOf(element: Element, describe: (element: Element) => Described): PlaceAnswer {
  const beside = [...childElementsOf(parentOf(element) ?? element)]
    .slice(0, MAX_BESIDE)
    .filter((each) => each === element || (tagOf(each) === tagOf(element) && !hiddenReason(each)));
  const holder = holderOf(element, describe);
  return { state: "place", position: beside.indexOf(element) + 1, of: beside.length, ...(holder && { holder }) };
}

function holderOf(element: Element, describe: (element: Element) => Described): Described | undefined {
  let at = flatParentOf(element);
  for (let level = 0; at && level < MAX_LEVELS; level++, at = flatParentOf(at)) {
    const described = describe(at);
    if (HOLDERS.test(described.role)) return described;
  }
  return undefined;
}
