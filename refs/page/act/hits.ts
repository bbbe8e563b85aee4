/** Whether what lies at a point, or what an event met, stands for the element that was meant. */

import { elementMatches, flatChildrenOf, flatParentOf, isElement, nodeTypeOf, rootElement, TEXT } from "../dom/dom.ts";
import { holds, pointsOf, visibleParts } from "../dom/geometry.ts";
import type { Described, Point } from "../protocol.ts";

/** Things that take a press for themselves, whatever they are in. */
const TAKES_PRESS =
  "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=tab],[role=option],[role=treeitem],[role=combobox],[role=slider],[role=spinbutton],[role=textbox],[role=searchbox]";

/** Things that hold others of their kind: a press on an inner one never stands for the outer. */
const NESTED_ITEM = "[role=treeitem],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=option]";

/** Points of its own at which an element with controls in it is tried. */
const MAX_OWN_POINTS = 20;

export type Hit = "element" | "inner-control" | "other";

/** `inner-control`: inside the element, but on a control of its own. */
export function judgeHit(target: Element, hit: Element): Hit {
  if (hit === target) return "element";
  if (holds(target, hit)) {
    const taker = takerBetween(hit, target);
    if (!taker) return "element";
    return elementMatches(target, NESTED_ITEM) && elementMatches(taker, NESTED_ITEM) ? "other" : "inner-control";
  }
  return isLabelPair(target, hit) ? "element" : "other";
}

/** A press on a control's label is one on the control, and the other way round, unless something between takes it. */
function isLabelPair(target: Element, hit: Element): boolean {
  if (target instanceof HTMLLabelElement) {
    const control = target.control;
    return control !== null && holds(control, hit);
  }
  const labels = (target as Partial<HTMLInputElement>).labels;
  if (!labels) return false;
  return [...labels].some((label) => holds(label, hit) && !takerBetween(hit, label));
}

/** The browser clicks the control of a label that a click was in, whatever of the label was clicked. */
export function isPassedOn(target: Element, hit: Element): boolean {
  for (let at: Element | undefined = target; at; at = flatParentOf(at)) {
    if (at instanceof HTMLLabelElement) return at.control !== null && holds(at.control, hit);
  }
  return false;
}

/** The outermost control around the hit that is inside `outer`. */
function takerBetween(hit: Element, outer: Element): Element | undefined {
  const control = outer instanceof HTMLLabelElement ? outer.control : null;
  let taker: Element | undefined;
  for (let at: Element | undefined = hit; at && at !== outer; at = flatParentOf(at)) {
    if (at !== control && elementMatches(at, TAKES_PRESS)) taker = at;
  }
  return taker;
}

/** Points on what the element itself shows, its text first of all, and on none of the controls inside it. */
export function ownPoints(element: Element, depth = 4): Point[] {
  const points: Point[] = [];
  for (const child of flatChildrenOf(element)) {
    if (nodeTypeOf(child) === TEXT) {
      const range = document.createRange();
      range.selectNodeContents(child);
      points.push(...pointsOf([...range.getClientRects()].slice(0, 1)).slice(0, 1));
    } else if (isElement(child) && depth > 0 && !elementMatches(child, TAKES_PRESS)) {
      points.push(...pointsOf(visibleParts(child)).slice(0, 1), ...ownPoints(child, depth - 1));
    }
    if (points.length >= MAX_OWN_POINTS) break;
  }
  return points.slice(0, MAX_OWN_POINTS);
}

/** The thing in the way as a person would name it: the nearest named one around the hit that does not hold the target. */
export function describeCover(
  hit: Element,
  target: Element | undefined,
  describe: (element: Element) => Described,
): Described {
  const around: Described[] = [];
  for (let at: Element | undefined = hit; at && at !== rootElement(); at = flatParentOf(at)) {
    if (target && holds(at, target)) break;
    around.push(describe(at));
  }
  return (
    around.find(({ role, name }) => name !== "" && role !== "generic" && role !== "") ?? around[0] ?? describe(hit)
  );
}
