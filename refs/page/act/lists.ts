/** Custom lists: which belong to a control, what they offer, and whether the control shows what was chosen. */

import {
  attributeOf,
  elementMatches,
  flatParentOf,
  focusedElement,
  has,
  includes,
  isConnected,
  queryAll,
  referenced,
  shadowRootOf,
} from "../dom/dom.ts";
import type { Described } from "../protocol.ts";
import { hiddenReason } from "./actionable.ts";
import { fieldText, nativeLists, ownValue, shownPieces } from "./list_field.ts";
import type { ListAnswer, ListOption, PressedOption } from "./protocol.ts";

type Describe = (element: Element) => Described;

const LIST = "[role=listbox],[role=menu],[role=tree],[role=radiogroup]";
const OPTION = "[role=option],[role=menuitemradio],[role=menuitemcheckbox],[role=menuitem],[role=treeitem]";
/** What leads elsewhere or holds a value of another kind: pressing it would do that, and open nothing. */
const NO_LIST = "a[href],[role=link],[role=checkbox],[role=radio],[role=switch],[role=slider],[role=tab]";
const NO_LIST_INPUT = "input:is([type=checkbox],[type=radio],[type=submit],[type=reset],[type=image],[type=file])";

/** As it was before a control was pressed. */
interface Before {
  /** What was shown then belongs to others, unless it says otherwise. */
  lists: ReadonlySet<Element>;
  text: string;
}

export class Lists {
  readonly #before = new WeakMap<Element, Before>();

  /** The options a person sees once the control's list is open. `first` before anything is pressed. */
  look(control: Element, { first }: { first: boolean }, describe: Describe): ListAnswer {
    if (first)
      this.#before.set(control, { lists: new Set(shownLists()), text: fieldText(control, listsNamedBy(control)) });
    const lists = this.#listsOf(control);
    const options = lists.flatMap(optionsIn).filter((option) => !hiddenReason(option));
    const around = first ? flatParentOf(control) : undefined;
    return {
      state: "list",
      expanded: isExpanded(control) || lists.includes(control),
      mayOpen: options.length > 0 || mayOpen(control),
      multiple: lists.some(isMultiple),
      editable: control instanceof HTMLInputElement && !control.readOnly,
      value: ownValue(control),
      ...(around && { around: describe(around) }),
      options: options.map(
        (option): ListOption => ({ ...describe(option), selected: isSelected(option, control, lists) }),
      ),
    };
  }

  /**
   * The control has it: its native list does, the option itself says so, or its name stands in or beside the control,
   * where it did not before. What was typed to find it is no sign of it while the list is open.
   */
  hasTaken(control: Element, option: Element | undefined, { name, typed }: PressedOption): boolean {
    const lists = this.#listsOf(control);
    const native = nativeLists(control);
    const offering = native.filter(({ options }) => [...options].some(({ label }) => isSame(label, name)));
    if (offering.length > 0)
      return offering.some(({ selectedOptions: [...all] }) => all.some(({ label }) => isSame(label, name)));
    if (option && isConnected(option) && isSelected(option, control, lists)) return true;
    const isOpen = isExpanded(control) || lists.some((list) => list !== control && !hiddenReason(list));
    if (isSame(ownValue(control), name)) return !typed || !isOpen;
    const apart = new Set([...lists, ...listsNamedBy(control)]);
    if (shownPieces(control, apart).some((piece) => isSame(piece, name))) return true;
    const before = this.#before.get(control)?.text ?? "";
    return timesIn(fieldText(control, apart), name) > timesIn(before, name);
  }

  /** Takes the focus away, which closes most lists. True, and nothing is done, when the list itself has it. */
  leave(control: Element): boolean {
    const focused = focusedElement();
    if (!focused) return false;
    const isInside = this.#listsOf(control).some((list) => list !== control && includes(list, focused));
    if (!isInside) (focused as Partial<HTMLElement>).blur?.();
    return isInside;
  }

  /** The list it names, holds or is; else those that are shown since it was pressed, or that it says to have open. */
  #listsOf(control: Element): Element[] {
    if (elementMatches(control, LIST)) return [control];
    const named = listsNamedBy(control);
    if (named.length > 0) return named;
    const inside = queryAll(control, LIST);
    if (inside.length > 0) return inside;
    const before = this.#before.get(control)?.lists;
    const shown = shownLists();
    const appeared = shown.filter((list) => !before?.has(list));
    return appeared.length > 0 || !isOnlyExpanded(control) ? appeared : shown;
  }
}

function listsNamedBy(control: Element): Element[] {
  const named = [...referenced(control, "aria-controls"), ...referenced(control, "aria-owns")];
  return named.filter((each) => elementMatches(each, LIST) || optionsIn(each).length > 0);
}

function shownLists(): Element[] {
  return queryAll(document, LIST).filter((list) => !hiddenReason(list));
}

/** Options in the list, or given to it through a slot. */
function optionsIn(list: Element): Element[] {
  const roots: Node[] = [list, ...[shadowRootOf(list)].filter((root) => root !== null)];
  return roots.flatMap((root) => [
    ...queryAll(root, OPTION),
    ...queryAll(root, "slot").flatMap((slot) => slotted(slot as HTMLSlotElement)),
    ...(root === list && list instanceof HTMLSlotElement ? slotted(list) : []),
  ]);
}

function slotted(slot: HTMLSlotElement): Element[] {
  return slot
    .assignedElements({ flatten: true })
    .flatMap((each) => (elementMatches(each, OPTION) ? [each] : queryAll(each, OPTION)));
}

function isExpanded(control: Element): boolean {
  return attributeOf(control, "aria-expanded") === "true";
}

/** A list that is shown may then be its own, though nothing says so: nobody else says to have one open. */
function isOnlyExpanded(control: Element): boolean {
  if (!isExpanded(control)) return false;
  return queryAll(document, "[aria-expanded=true][aria-haspopup]").every((each) => each === control);
}

function mayOpen(control: Element): boolean {
  if (has(control, "aria-haspopup") || has(control, "aria-expanded") || has(control, "aria-controls")) return true;
  if (elementMatches(control, NO_LIST) || elementMatches(control, NO_LIST_INPUT)) return false;
  return !(control instanceof HTMLButtonElement && control.type !== "button" && control.form);
}

function isMultiple(list: Element): boolean {
  return attributeOf(list, "aria-multiselectable") === "true";
}

/** Comboboxes of one choice often say `aria-selected` of the option that the arrow keys are at. */
function isSelected(option: Element, control: Element, lists: Element[]): boolean {
  if (attributeOf(option, "aria-checked") === "true") return true;
  if (attributeOf(option, "aria-selected") !== "true") return false;
  const isAt = referenced(control, "aria-activedescendant").includes(option);
  return !isAt || lists.includes(control) || lists.some(isMultiple);
}

function isSame(text: string, name: string): boolean {
  return text.toLowerCase() === name.toLowerCase();
}

function timesIn(text: string, name: string): number {
  return name === "" ? 0 : text.toLowerCase().split(name.toLowerCase()).length - 1;
}
