/** What a person can operate, and how one can tell when no role says so. */
import {
  attributeOf,
  childElementsOf,
  elementMatches,
  elementsIn,
  has,
  nextElementOf,
  parentOf,
  previousElementOf,
  tagOf,
  textContentOf,
} from "../dom/dom.ts";
import type { Reading } from "./reading.ts";
import { INTERACTIVE_ROLES } from "./role_table.ts";
import { isEditingHost, isSummaryForDetails } from "./roles.ts";

/** True for interactive roles, for what HTML makes operable without one, and for parts of grids that react. */
export function isInteractive(element: Element, role: string | undefined, tag = tagOf(element)): boolean {
  if (role && INTERACTIVE_ROLES.has(role)) return true;
  if (reacts(element, role)) return true;
  return (tag === "summary" && isSummaryForDetails(element)) || isEditingHost(element);
}

function reacts(element: Element, role: string | undefined): boolean {
  switch (role) {
    case "gridcell":
    case "columnheader":
    case "rowheader":
      return has(element, "onclick") || has(element, "tabindex") || has(element, "aria-selected");
    case "row":
      return has(element, "tabindex") || has(element, "aria-expanded");
    case "separator":
      return has(element, "tabindex");
    default:
      return false;
  }
}

/** Can be typed into, as no role for that says. */
export function isEditable(element: Element, role: string): boolean {
  return !INTERACTIVE_ROLES.has(role) && isEditingHost(element);
}

/** An `a` without `href` that scripts make a link: something says it can be clicked, or it has no other purpose. */
export function isScriptedLink(element: Element, reading: Reading, tag = tagOf(element)): boolean {
  if (tag !== "a" || has(element, "href") || !textContentOf(element)?.trim()) return false;
  if (has(element, "onclick") || has(element, "tabindex")) return true;
  if (reading.styleOf(element).cursor === "pointer") return true;
  return !has(element, "name") && !has(element, "id");
}

/**
 * How an element without an interactive role shows that it can be clicked; undefined when it doesn't. A cursor that
 * only comes from the parent says nothing about the element itself.
 */
export function clickableReason(
  element: Element,
  reading: Reading,
  isListened: (element: Element) => boolean,
): string | undefined {
  if (has(element, "onclick")) return "onclick";
  const tabindex = Number.parseInt(attributeOf(element, "tabindex") ?? "", 10);
  if (tabindex >= 0) return "tabindex";
  if (isEditingHost(element)) return "contenteditable";
  if (showsPointer(element, reading)) return "cursor:pointer";
  if (isListened(element)) return isRoot(element) || handsOn(element) ? undefined : "listener";
  return isOneOfMany(element) && isHandedTo(element, isListened) ? "delegated" : undefined;
}

/** Is it a list with a name whose items are handed to its listener? Whoever drags one looks for where it may go. */
export function isNamedHandler(
  element: Element,
  role: string | undefined,
  isListened: (element: Element) => boolean,
): boolean {
  if (role !== "list" || !(has(element, "aria-label") || has(element, "aria-labelledby"))) return false;
  return isListened(element) && handsOn(element);
}

/** Most frameworks listen at the root for everything below it: that says nothing about the root. */
function isRoot(element: Element): boolean {
  return tagOf(element) === "html" || tagOf(element) === "body";
}

/** Tags of what stands in a list without saying so, when it has a class. */
const UNSAID = new Set(["div", "section", "a", "figure"]);
const ITEMS = new Set(["li", "tr", "article", "dd"]);
const OPERATED = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[onclick],[tabindex]";

/** Elements in one that are looked at: pages nest what listens as deep as they like. */
const MAX_GLANCE = 200;
/** From so many on, a listener around them is for what is operated inside. */
const MANY = 3;

/** A list that listens listens for its items, and a toolbar for its buttons. */
function handsOn(list: Element): boolean {
  const [first, second] = itemsOf(list);
  if (first && second && isOneOfMany(first) && isAlike(first, second)) return true;
  return operatedIn(list, MANY) === MANY;
}

/** How many things are operated in it, up to `most`, as far as can be seen at a glance. */
function operatedIn(element: Element, most: number): number {
  const inside = elementsIn(element);
  let count = 0;
  for (let at = 0; at < MAX_GLANCE && count < most; at++) {
    const each = inside[at];
    if (!each) break;
    if (elementMatches(each, OPERATED)) count++;
  }
  return count;
}

function isHandedTo(item: Element, isListened: (element: Element) => boolean): boolean {
  const parent = parentOf(item);
  const list = parent && tagOf(parent) === "tbody" && !isListened(parent) ? parentOf(parent) : parent;
  if (!list || !isListened(list) || isRoot(list)) return false;
  const [before, after] = [previousElementOf(item), nextElementOf(item)];
  const isInList = [before, after].some((beside) => beside !== null && isAlike(item, beside));
  // Else it is for what is operated in it.
  return isInList && operatedIn(item, 1) === 0;
}

function itemsOf(list: Element): HTMLCollection {
  const [first] = childElementsOf(list);
  return childElementsOf(first && tagOf(first) === "tbody" ? first : list);
}

function isOneOfMany(element: Element): boolean {
  const tag = tagOf(element);
  return ITEMS.has(tag) || (UNSAID.has(tag) && has(element, "class"));
}

/** Rows are striped by their class, and the item that is chosen has one more than the others. */
function isAlike(one: Element, other: Element): boolean {
  const tag = tagOf(one);
  if (tag !== tagOf(other)) return false;
  if (ITEMS.has(tag)) return true;
  const [few, many] = [classesOf(one), classesOf(other)].sort((a, b) => a.length - b.length);
  return few !== undefined && few.length > 0 && few.every((name) => many?.includes(name));
}

function classesOf(element: Element): string[] {
  return attributeOf(element, "class")?.match(/\S+/g) ?? [];
}

function showsPointer(element: Element, reading: Reading): boolean {
  if (reading.styleOf(element).cursor !== "pointer" || tagOf(element) === "label") return false;
  const parent = parentOf(element);
  return !(parent && reading.styleOf(parent).cursor === "pointer");
}
