/** Things with a checked state: what they show and what to press to change it. */

import { attributeOf } from "../dom/dom.ts";
import type { Described } from "../protocol.ts";
import { hiddenReason } from "./actionable.ts";
import type { CheckState } from "./protocol.ts";

type Describe = (element: Element) => Described;

const CHECKABLE = /^(?:checkbox|radio|switch|menuitemcheckbox|menuitemradio)$/;

export function checkState(element: Element, describe: Describe): CheckState {
  const control = controlOf(element);
  const { role } = describe(control);
  const label = control === element && hiddenReason(control) ? visibleLabel(control) : undefined;
  return {
    state: "checkable",
    checked: checkedOf(control, role),
    radio: role.includes("radio"),
    press: describe(label ?? element),
  };
}

/** A label's control; the control inside a wrapper that has none of its own. */
export function controlOf(element: Element): Element {
  return element instanceof HTMLLabelElement && element.control ? element.control : element;
}

/** The checkbox, radio button or file field that the label is for. */
export function controlBehind(label: HTMLLabelElement): HTMLInputElement | undefined {
  const { control } = label;
  return control instanceof HTMLInputElement && /^(?:checkbox|radio|file)$/.test(control.type) ? control : undefined;
}

/** What is pressed in the place of a control that nobody sees: the label that it is the control behind. */
export function pressedFor(element: Element): Element {
  const label = element instanceof HTMLInputElement && hiddenReason(element) ? visibleLabel(element) : undefined;
  return label instanceof HTMLLabelElement && controlBehind(label) === element ? label : element;
}

export function visibleLabel(control: Element): Element | undefined {
  const labels = (control as Partial<HTMLInputElement>).labels;
  return labels ? [...labels].find((label) => !hiddenReason(label)) : undefined;
}

function checkedOf(control: Element, role: string): boolean | "mixed" | null {
  if (control instanceof HTMLInputElement && (control.type === "checkbox" || control.type === "radio")) {
    return control.indeterminate ? "mixed" : control.checked;
  }
  const state = attributeOf(control, "aria-checked") ?? (CHECKABLE.test(role) ? "false" : null);
  if (state === null) return null;
  return state === "mixed" ? "mixed" : state === "true";
}
