/** Whether a value could be put into an element, found out without touching it. */

import type { Described } from "../protocol.ts";
import { disabledReason, hiddenReason, refuseEdit } from "./actionable.ts";
import { checkState, visibleLabel } from "./checks.ts";
import { fieldOf, optionsFor, otherKind, refuseValue } from "./fields.ts";
import type { FillableAnswer, FillValue, Refusal } from "./protocol.ts";

/** Lists that authors make of other elements. */
const LIST_ROLES = new Set(["combobox", "listbox", "menu", "tree", "radiogroup"]);

export function fillable(
  element: Element,
  value: FillValue,
  describe: (element: Element) => Described,
): FillableAnswer | Refusal {
  const field = fieldOf(element);
  if (typeof value === "boolean") return checkable(element, field, value, describe);
  const values = typeof value === "string" ? [value] : value;
  if (field instanceof HTMLSelectElement) {
    const chosen = optionsFor(field, values);
    return refuseUse(field) ?? ("state" in chosen ? chosen : { state: "fillable", as: "list" });
  }
  const kind = otherKind(field);
  if (kind === "none" && LIST_ROLES.has(describe(element).role)) {
    return refuseUse(element) ?? { state: "fillable", as: "list" };
  }
  if (kind && kind !== "editable") return { state: "other-kind", kind };
  if (typeof value !== "string") return { state: "single" };
  const refusal = refuseEdit(field);
  if (refusal) return refusal;
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return (isText ? refuseValue(field, value) : undefined) ?? { state: "fillable", as: "text" };
}

function checkable(
  element: Element,
  control: Element,
  wanted: boolean,
  describe: (element: Element) => Described,
): FillableAnswer | Refusal {
  const { checked, radio } = checkState(element, describe);
  if (checked === null) return { state: "not-checkable" };
  if (radio && checked === true && !wanted) return { state: "radio" };
  const why = disabledReason(control);
  if (why) return { state: "disabled", why };
  const hidden = hiddenReason(element);
  return hidden && !visibleLabel(control) ? { state: "hidden", why: hidden } : { state: "fillable", as: "check" };
}

function refuseUse(element: Element): Refusal | undefined {
  const why = disabledReason(element);
  if (why) return { state: "disabled", why };
  const hidden = hiddenReason(element);
  return hidden ? { state: "hidden", why: hidden } : undefined;
}
