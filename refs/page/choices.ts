/** Things with a checked state, and custom lists: what they show and what to press to change it. */
import type { CheckState, ListOption } from "./act_protocol.ts";
import { hiddenReason } from "./actionable.ts";
import { attributeOf, elementMatches, queryAll, referenced } from "./dom.ts";
import type { Described } from "./protocol.ts";

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
function controlOf(element: Element): Element {
  return element instanceof HTMLLabelElement && element.control ? element.control : element;
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

/** The options a person sees once the element's list is open. */
export function listOptions(
  element: Element,
  describe: Describe,
): { expanded: boolean; editable: boolean; multiple: boolean; options: ListOption[] } {
  const lists = listsOf(element);
  const options = lists.flatMap((list) => [
    ...queryAll(list, "[role=option],[role=menuitemradio],[role=menuitem],[role=treeitem]"),
  ]);
  return {
    expanded: attributeOf(element, "aria-expanded") === "true" || lists.includes(element),
    multiple: lists.some((list) => attributeOf(list, "aria-multiselectable") === "true"),
    editable: element instanceof HTMLInputElement && !element.readOnly,
    options: options
      .filter((option) => !hiddenReason(option))
      .map((option) => ({
        ...describe(option),
        selected: attributeOf(option, "aria-selected") === "true" || attributeOf(option, "aria-checked") === "true",
      })),
  };
}

const LIST = "[role=listbox],[role=menu],[role=tree],[role=radiogroup]";

/** The list it names, holds or is; else, once it says that it is open, whatever list is shown (menus in portals). */
function listsOf(element: Element): Element[] {
  if (elementMatches(element, LIST)) return [element];
  const named = [...referenced(element, "aria-controls"), ...referenced(element, "aria-owns")];
  if (named.length > 0) return named;
  const inside = queryAll(element, LIST);
  if (inside.length > 0) return inside;
  return queryAll(document, LIST).filter((list) => !hiddenReason(list));
}
