/** One look at an element before it is pressed: is it what and where it should be, and would a press reach it? */

import { flatParentOf, queryAll, rectOf, rootElement } from "../dom/dom.ts";
import { boxOf, documentScroller, elementAt, pointsOf, visibleParts } from "../dom/geometry.ts";
import type { Described, Point } from "../protocol.ts";
import { disabledReason, hiddenReason, isAnimated } from "./actionable.ts";
import { describeCover, judgeHit, ownPoints } from "./hits.ts";
import type { ProbeParams, Ready, Refusal, Through, ThroughParams } from "./protocol.ts";

type Describe = (element: Element) => Described;

/** Where it is put in the viewport, in turn, until nothing (a sticky header, a cookie bar) lies over it. */
const SCROLL_BLOCKS = ["center", "start", "end"] as const;

export function probe(
  element: Element,
  params: ProbeParams,
  describe: Describe,
): Ready | { state: "option" } | Refusal {
  if (element instanceof HTMLOptionElement && element.closest("select")) return { state: "option" };
  const hidden = hiddenReason(element);
  if (hidden) return { state: "hidden", why: hidden };
  const disabled = disabledReason(element);
  if (disabled) return { state: "disabled", why: disabled };
  const found = findPoint(element, params, describe);
  if ("state" in found) return found;
  return {
    state: "ready",
    point: found.point,
    box: boxOf(element),
    moving: isAnimated(element),
    scrolled: found.scrolled,
    inner: found.inner,
    hasFrames: queryAll(document, "iframe,frame,object,embed").length > 0,
  };
}

/** A point that a press would reach it at, as it is or after scrolling. */
function findPoint(
  element: Element,
  params: ProbeParams,
  describe: Describe,
): { point: Point; inner: boolean; scrolled: boolean } | Refusal {
  const first = reachable(element, params);
  if ("point" in first) return { ...first, scrolled: false };
  let cover = first.cover;
  for (const block of SCROLL_BLOCKS) {
    element.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    const next = reachable(element, params);
    if ("point" in next) return { ...next, scrolled: true };
    cover ??= next.cover;
  }
  if (!cover) return { state: "outside" };
  if (getComputedStyle(element).pointerEvents === "none") return { state: "disabled", why: "pointer-events" };
  return { state: "covered", by: describeCover(cover, element, describe) };
}

/** The first point that is the element's own; on a control inside it only when there is no other. */
function reachable(element: Element, params: ProbeParams): { point: Point; inner: boolean } | { cover?: Element } {
  let cover: Element | undefined;
  let second: Point | undefined;
  for (const point of candidates(element, params.position)) {
    const hit = elementAt(point);
    if (!hit) continue;
    if (params.anyHit) return { point, inner: true };
    const verdict = judgeHit(element, hit);
    if (verdict === "element") return { point, inner: false };
    if (verdict === "inner-control") second ??= point;
    else cover ??= hit;
  }
  if (second) return { point: second, inner: true };
  return cover ? { cover } : {};
}

function* candidates(element: Element, position: Point | undefined): Generator<Point> {
  if (position) {
    const { x, y } = boxOf(element);
    yield { x: x + position.x, y: y + position.y };
    return;
  }
  const [middle, ...others] = pointsOf(visibleParts(element));
  if (middle) yield middle;
  yield* ownPoints(element);
  yield* others;
}

/** A point of a child frame as a point of this document, brought into view, with nothing over it. */
export function through(frame: Element, params: ThroughParams, describe: Describe): Through | Refusal {
  const hidden = hiddenReason(frame);
  if (hidden) return { state: "hidden", why: hidden };
  let point = inParent(frame, params.point);
  let hit = shownAt(frame, point);
  const scrolled = !hit;
  if (scrolled) {
    scrollPointIntoView(frame, params.point);
    point = inParent(frame, params.point);
    hit = shownAt(frame, point);
  }
  if (!hit) return { state: "outside" };
  if (hit !== frame && !params.anyHit) return { state: "covered", by: describeCover(hit, frame, describe) };
  return { state: "ready", point, scrolled };
}

/** From the frame's content to this document: border, padding and scale of the frame element. */
function inParent(frame: Element, { x, y }: Point): Point {
  const rect = rectOf(frame);
  const style = getComputedStyle(frame);
  const { offsetWidth, offsetHeight } = frame as HTMLElement;
  const scaleX = rect.width / (offsetWidth || rect.width);
  const scaleY = rect.height / (offsetHeight || rect.height);
  const left = frame.clientLeft + Number.parseFloat(style.paddingLeft);
  const top = frame.clientTop + Number.parseFloat(style.paddingTop);
  return { x: rect.x + (left + x) * scaleX, y: rect.y + (top + y) * scaleY };
}

/** What lies at a point of the frame; null when that point cannot be seen. */
function shownAt(frame: Element, { x, y }: Point): Element | null {
  const isShown = visibleParts(frame).some(
    (part) => x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height,
  );
  return isShown ? elementAt({ x, y }) : null;
}

/** Scrolls every container around the frame so that the child's point comes to lie in its middle. */
function scrollPointIntoView(frame: Element, point: Point): void {
  for (let at = flatParentOf(frame); at; at = flatParentOf(at)) {
    const isRoot = at === rootElement();
    if (!isRoot && at.scrollHeight <= at.clientHeight && at.scrollWidth <= at.clientWidth) continue;
    const { x, y } = inParent(frame, point);
    const box = isRoot ? { x: 0, y: 0 } : rectOf(at);
    const scroller = isRoot ? documentScroller() : at;
    const width = isRoot ? window.innerWidth : at.clientWidth;
    const height = isRoot ? window.innerHeight : at.clientHeight;
    scroller.scrollBy({ left: x - box.x - width / 2, top: y - box.y - height / 2, behavior: "instant" });
  }
}
