/** States of a node, live: what a person would find it in now. */
import { attributeOf, closestOf, elementMatches, parentOf, tagOf } from "../dom/dom.ts";
import type { ElementStates } from "../protocol.ts";
import type { Reading } from "./reading.ts";
import {
  CHECKABLE_ROLES,
  DISABLEABLE_ROLES,
  EXPANDABLE_ROLES,
  INVALIDABLE_ROLES,
  LEVEL_ROLES,
  READONLY_ROLES,
  REQUIRABLE_ROLES,
  SELECTABLE_ROLES,
} from "./role_table.ts";
import { isSummaryForDetails } from "./roles.ts";

/** Undefined when there is nothing to say. */
export function statesOf(element: Element, role: string, reading: Reading): ElementStates | undefined {
  const states: ElementStates = {};
  const checked = checkedOf(element, role);
  if (checked) states.checked = checked;
  const pressed = role === "button" ? triState(attributeOf(element, "aria-pressed")) : undefined;
  if (pressed !== undefined) states.pressed = pressed;
  if (isSelected(element, role)) states.selected = true;
  const expanded = expandedOf(element, role);
  if (expanded !== undefined) states.expanded = expanded;
  if (isDisabled(element, role, reading)) states.disabled = true;
  if (isRequired(element, role)) states.required = true;
  if (isReadonly(element, role)) states.readonly = true;
  if (INVALIDABLE_ROLES.has(role) && isInvalid(element)) states.invalid = true;
  const current = attributeOf(element, "aria-current");
  if (current && current !== "false") states.current = current;
  const level = LEVEL_ROLES.has(role) ? levelOf(element) : undefined;
  if (level) states.level = level;
  if (element === reading.focused && tagOf(element) !== "body") states.active = true;
  for (const _ in states) return states;
  return undefined;
}

/** Null for what can't be checked. */
export function checkedOf(element: Element, role: string): boolean | "mixed" | null {
  if (element instanceof HTMLInputElement && (element.type === "checkbox" || element.type === "radio")) {
    return element.indeterminate ? "mixed" : element.checked;
  }
  if (!CHECKABLE_ROLES.has(role) || tagOf(element) === "option") return null;
  return triState(attributeOf(element, "aria-checked")) ?? (role === "option" || role === "treeitem" ? null : false);
}

function triState(value: string | null): boolean | "mixed" | undefined {
  switch (value?.toLowerCase()) {
    case "true":
      return true;
    case "mixed":
      return "mixed";
    case "false":
      return false;
    default:
      return undefined;
  }
}

function isSelected(element: Element, role: string): boolean {
  if (element instanceof HTMLOptionElement) return element.selected;
  return SELECTABLE_ROLES.has(role) && attributeOf(element, "aria-selected")?.toLowerCase() === "true";
}

function expandedOf(element: Element, role: string): boolean | undefined {
  if (element instanceof HTMLDetailsElement) return element.open;
  if (tagOf(element) === "summary" && isSummaryForDetails(element)) {
    const details = parentOf(element);
    return details instanceof HTMLDetailsElement && details.open;
  }
  if (!EXPANDABLE_ROLES.has(role)) return undefined;
  const value = triState(attributeOf(element, "aria-expanded"));
  return value === "mixed" ? undefined : value;
}

/** Natively (fieldsets and optgroups included) or by `aria-disabled` on it or around it. */
export function isDisabled(element: Element, role: string, reading: Reading): boolean {
  if (CAN_BE_DISABLED.has(tagOf(element)) && elementMatches(element, ":disabled")) return true;
  if (element instanceof HTMLOptionElement && closestOf(element, "optgroup:disabled, select:disabled")) return true;
  return DISABLEABLE_ROLES.has(role) && reading.isAriaDisabled(element);
}

const CAN_BE_DISABLED = new Set(["button", "input", "select", "textarea", "option", "optgroup", "fieldset"]);

const REQUIRED_FIELDS = new Set(["input", "select", "textarea"]);

function isRequired(element: Element, role: string): boolean {
  if (REQUIRED_FIELDS.has(tagOf(element)) && elementMatches(element, ":required")) return true;
  return REQUIRABLE_ROLES.has(role) && attributeOf(element, "aria-required")?.toLowerCase() === "true";
}

export function isReadonly(element: Element, role: string): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    if (
      element.readOnly &&
      /^(text|search|url|tel|email|password|date|month|week|time|datetime-local|number|textarea)$/.test(element.type)
    )
      return true;
  }
  return READONLY_ROLES.has(role) && attributeOf(element, "aria-readonly")?.toLowerCase() === "true";
}

function isInvalid(element: Element): boolean {
  const value = attributeOf(element, "aria-invalid")?.trim().toLowerCase();
  if (value) return value !== "false";
  // What the browser shows as wrong: a value that was put in, or a form that was not sent.
  return elementMatches(element, ":user-invalid");
}

function levelOf(element: Element): number | undefined {
  const native = /^h([1-6])$/.exec(tagOf(element))?.[1];
  const author = Number(attributeOf(element, "aria-level") ?? Number.NaN);
  if (Number.isInteger(author) && author >= 1) return author;
  return native ? Number(native) : undefined;
}
