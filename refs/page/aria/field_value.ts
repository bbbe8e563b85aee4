/** What fields hold now, secrets masked. */
import { attributeOf, fold, queryAll, textContentOf } from "../dom/dom.ts";
import type { Reading } from "./reading.ts";
import { isListBox } from "./roles.ts";
import { isSecret, MASK, rememberPassword } from "./secret.ts";

/** What a combobox that is only a wrapper contains. */
const HAS_VALUE_OF_ITS_OWN =
  "input,textarea,select,[role=textbox],[role=searchbox],[role=listbox],[role=tree],[role=grid]";

/** The live value of a field; undefined for what has none. */
export function fieldValue(element: Element, role: string, reading: Reading): string | undefined {
  if (element instanceof HTMLInputElement) {
    const { type } = element;
    if (["checkbox", "radio", "submit", "button", "reset", "image", "hidden"].includes(type)) return undefined;
    if (type === "password") rememberPassword(element);
    if (type === "file") return [...(element.files ?? [])].map((file) => file.name).join(", ") || undefined;
    return typedValue(element, reading);
  }
  if (element instanceof HTMLTextAreaElement) return typedValue(element, reading);
  if (element instanceof HTMLSelectElement) {
    if (isListBox(element)) return undefined;
    const option = element.selectedOptions[0];
    return option ? fold(option.label) : undefined;
  }
  if (role === "textbox" || role === "searchbox") return fold(textContentOf(element) ?? "") || undefined;
  if (role === "combobox" && element instanceof HTMLElement && queryAll(element, HAS_VALUE_OF_ITS_OWN).length === 0) {
    return fold(element.innerText) || undefined;
  }
  if (element instanceof HTMLMeterElement || element instanceof HTMLProgressElement) {
    return element instanceof HTMLProgressElement && element.position < 0 ? undefined : String(element.value);
  }
  return attributeOf(element, "aria-valuetext") ?? attributeOf(element, "aria-valuenow") ?? undefined;
}

function typedValue(field: HTMLInputElement | HTMLTextAreaElement, reading: Reading): string | undefined {
  return field.value === "" ? undefined : isSecret(field, reading) ? MASK : field.value;
}
