/** Filling a field, as far as the page can do it: what is left over is for the driver. */

import { elementMatches, queryAll } from "../dom/dom.ts";
import { refuseEdit } from "./actionable.ts";
import { beginValue, fieldOf, isTooShort, otherKind, setValue } from "./fields.ts";
import type { ActOperations, Refusal } from "./protocol.ts";

/** `lost`: why the field is another one, once the page has heard of the focus. */
export function fill(field: Element, value: string, lost: () => Refusal | undefined): ActOperations["fill"]["answer"] {
  const kind = otherKind(field);
  if (kind && kind !== "editable") return { state: "other-kind", kind };
  const refusal = refuseEdit(field);
  if (refusal) return refusal;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
    return isTooShort(field, value) ? beginValue(field, value, lost) : setValue(field, value, lost);
  // Editors keep their own model of the text: only typing reaches it, so the driver types over the selection.
  (field as HTMLElement).focus();
  const refused = lost();
  if (refused) return refused;
  getSelection()?.selectAllChildren(field);
  return { state: "other-kind", kind: "editable" };
}

/** Hidden ones too: pages hide them behind buttons and labels of their own. */
export function fileField(
  element: Element,
  numberOf: (element: Element) => number,
): ActOperations["fileField"]["answer"] {
  const field = [fieldOf(element), ...queryAll(element, "input[type=file]")].find(
    (each): each is HTMLInputElement => each instanceof HTMLInputElement && each.type === "file",
  );
  if (!field) return { state: "file-field", field: null };
  if (elementMatches(field, ":disabled")) return { state: "disabled", why: "disabled" };
  return { state: "file-field", field: { n: numberOf(field), multiple: field.multiple } };
}
