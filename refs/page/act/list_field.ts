/** What stands in and around the control of a custom list: where it shows what has been chosen. */

import {
  elementMatches,
  flatChildrenOf,
  flatParentOf,
  fold,
  includes,
  isElement,
  queryAll,
  rectOf,
  textContentOf,
} from "../dom/dom.ts";
import { hiddenReason } from "./actionable.ts";

/** From the control up, as far as the widget around it may reach. */
const MAX_LEVELS = 5;
/** Nodes of a widget that are read. */
const MAX_NODES = 2_000;
const CONTROL = "input,select,textarea,[role=combobox],[contenteditable]";
const LABEL = "label,legend";

/** The widget that the control is in: all around it that holds no control of anything else. */
function fieldAround(control: Element): Element {
  let field = control;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = flatParentOf(field);
    if (!parent || parent === document.body || parent instanceof HTMLFormElement) break;
    const inner = field;
    const others = queryAll(parent, CONTROL).filter((each) => each !== control && !includes(inner, each));
    if (others.some((other) => !isStandIn(other))) break;
    field = parent;
  }
  return field;
}

/** A hidden control beside a custom one holds its value for the form. */
function isStandIn(other: Element): boolean {
  if (hiddenReason(other) !== undefined) return true;
  const { opacity, clipPath } = getComputedStyle(other);
  const { width, height } = rectOf(other);
  return opacity === "0" || clipPath !== "none" || width <= 1 || height <= 1;
}

/** Native lists that a widget stands for. */
export function nativeLists(control: Element): HTMLSelectElement[] {
  return queryAll(fieldAround(control), "select").filter(
    (each) => each instanceof HTMLSelectElement && isStandIn(each),
  ) as HTMLSelectElement[];
}

export function ownValue(control: Element): string {
  const holds = control instanceof HTMLInputElement && control.type !== "password";
  return holds ? fold(control.value) : "";
}

/** Every piece of text in the widget, without its lists and labels, and the text of the control as a whole. */
export function shownPieces(control: Element, apart: ReadonlySet<Element>): string[] {
  const pieces: string[] = apart.has(control) ? [] : [fold(textContentOf(control) ?? "")];
  const waiting: Node[] = [fieldAround(control)];
  for (let read = 0; read < MAX_NODES; read++) {
    const node = waiting.pop();
    if (!node) break;
    if (!isElement(node)) pieces.push(fold(textContentOf(node) ?? ""));
    else if (!apart.has(node) && !elementMatches(node, LABEL)) {
      if (node instanceof HTMLInputElement && node !== control && !["password", "hidden"].includes(node.type)) {
        pieces.push(fold(node.value));
      }
      if (!(node instanceof HTMLSelectElement)) waiting.push(...flatChildrenOf(node));
    }
  }
  return pieces.filter((piece) => piece !== "");
}

export function fieldText(control: Element, apart: readonly Element[] | ReadonlySet<Element>): string {
  return shownPieces(control, new Set(apart)).join("\n");
}
