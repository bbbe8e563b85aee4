/** Whether an element can be acted on, and why not. */

import { isSummaryForDetails } from "../aria/roles.ts";
import { attributeOf, childElementsOf, elementMatches, flatParentOf, fold, has, textContentOf } from "../dom/dom.ts";
import { partsOf } from "../dom/geometry.ts";
import type { DisabledReason, Refusal } from "./protocol.ts";

const { checkVisibility, getAnimations } = Element.prototype;

/** Why a person could not see it; undefined when they could. Opacity is no reason: invisible inputs take real clicks. */
export function hiddenReason(element: Element): string | undefined {
  if (partsOf(element).length === 0) {
    if (!checkVisibility.call(element)) return closedAround(element) ?? "it is not displayed";
    return "it has no size";
  }
  if (getComputedStyle(element).visibility !== "visible") return "its visibility is hidden";
  return checkVisibility.call(element) ? undefined : closedAround(element);
}

/** What is closed around it. Content that was laid out keeps its place, where presses meet what is behind it. */
function closedAround(element: Element): string | undefined {
  let inner = element;
  for (let at = flatParentOf(element); at; at = flatParentOf(at)) {
    if (at instanceof HTMLDetailsElement && !at.open && !isSummaryForDetails(inner)) {
      const summary = [...childElementsOf(at)].find(isSummaryForDetails);
      const title = fold((summary && textContentOf(summary)) ?? "").slice(0, 80);
      return `the details${title && ` "${title}"`} around it is closed`;
    }
    if (getComputedStyle(at).contentVisibility === "hidden") {
      return has(at, "hidden") ? "what it is in is hidden until found" : "the content it is part of is not drawn";
    }
    inner = at;
  }
  return undefined;
}

export function disabledReason(element: Element): DisabledReason | undefined {
  if (isDisabledControl(element)) return "disabled";
  for (let at: Element | undefined = element; at; at = flatParentOf(at)) {
    if (attributeOf(at, "aria-disabled")?.toLowerCase() === "true") return "aria-disabled";
    if (has(at, "inert")) return "inert";
  }
  return undefined;
}

/** `:disabled` knows of fieldsets and option groups; a label is as disabled as its control. */
function isDisabledControl(element: Element): boolean {
  if (elementMatches(element, ":disabled")) return true;
  const control = element instanceof HTMLLabelElement ? element.control : null;
  return control !== null && elementMatches(control, ":disabled");
}

function isReadonly(element: Element): boolean {
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.readOnly;
  return attributeOf(element, "aria-readonly")?.toLowerCase() === "true";
}

/** What forbids to put a value into it. */
export function refuseEdit(element: Element): Refusal | undefined {
  const why = disabledReason(element) ?? (isReadonly(element) ? "readonly" : undefined);
  if (why) return { state: "disabled", why };
  const hidden = hiddenReason(element);
  return hidden ? { state: "hidden", why: hidden } : undefined;
}

/** Properties whose animation leaves an element where it is. */
const STILL =
  /^(?:opacity|color|fill|stroke|visibility|background|outline|boxShadow|textShadow|filter|backdropFilter|caret|border\w*Color|cursor|offset|computedOffset|easing|composite)/;

/** Whether a running animation or transition, on it or around it, may change its place or size. */
export function isAnimated(element: Element): boolean {
  for (let at: Element | undefined = element; at; at = flatParentOf(at)) {
    for (const animation of getAnimations.call(at)) if (moves(animation)) return true;
  }
  return false;
}

function moves(animation: Animation): boolean {
  if (animation.playState !== "running" || !(animation.effect instanceof KeyframeEffect)) return false;
  return animation.effect.getKeyframes().some((frame) => Object.keys(frame).some((property) => !STILL.test(property)));
}
