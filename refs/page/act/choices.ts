/** Choosing from lists that are native: `select`, and text fields with suggestions. */

import { elementMatches } from "../dom/dom.ts";
import { disabledReason, hiddenReason, refuseEdit } from "./actionable.ts";
import { type ChosenIn, selectIn, selectOptions, selectSuggested } from "./fields.ts";
import type { Refusal, SelectAnswer } from "./protocol.ts";

function refuseChoice(list: Element): Refusal | undefined {
  const why = disabledReason(list);
  if (why) return { state: "disabled", why };
  const hidden = hiddenReason(list);
  return hidden ? { state: "hidden", why: hidden } : undefined;
}

/** By the values, labels or texts of its options. */
export function select(list: Element, values: string[], chosenIn: ChosenIn): SelectAnswer | Refusal {
  if (list instanceof HTMLInputElement && list.list)
    return refuseEdit(list) ?? selectSuggested(list, list.list, values);
  if (!(list instanceof HTMLSelectElement)) return { state: "not-native" };
  return refuseChoice(list) ?? selectIn(list, values, chosenIn);
}

/** The option itself, in its list. */
export function pick(option: Element, chosenIn: ChosenIn): SelectAnswer | Refusal {
  const list = option.closest("select");
  if (!(option instanceof HTMLOptionElement) || !list) return { state: "not-native" };
  if (elementMatches(option, ":disabled")) return { state: "disabled", why: "disabled" };
  const kept = list.multiple ? [...list.selectedOptions] : [];
  return refuseChoice(list) ?? selectOptions(list, new Set([...kept, option]), chosenIn);
}
