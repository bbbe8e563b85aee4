/** Scrolling, with word of how far it went and whether there is more. */

import { flatParentOf, rectOf } from "../dom/dom.ts";
import { documentScroller } from "../dom/geometry.ts";
import type { ScrollAnswer, ScrollParams } from "./protocol.ts";

export function scroll(element: Element | undefined, params: ScrollParams): ScrollAnswer {
  if (element && params.intoView) return scrollTo(element, params);
  const scroller = element ? scrollerOf(element, params) : pageScroller(params);
  const { scrollLeft, scrollTop } = scroller;
  if (params.still)
    return { state: "scrolled", x: 0, y: 0, top: Math.round(scrollTop), atEnd: isAtEnd(scroller, params) };
  if (params.to) scroller.scrollTo({ top: params.to === "top" ? 0 : scroller.scrollHeight, behavior: "instant" });
  else scroller.scrollBy({ left: params.byX ?? 0, top: params.byY ?? pageOf(scroller), behavior: "instant" });
  return {
    state: "scrolled",
    x: Math.round(scroller.scrollLeft - scrollLeft),
    y: Math.round(scroller.scrollTop - scrollTop),
    top: Math.round(scroller.scrollTop),
    atEnd: isAtEnd(scroller, params),
  };
}

function scrollTo(element: Element, { still }: ScrollParams): ScrollAnswer {
  const before = rectOf(element);
  const tops = scrollersAround(element).map((scroller) => ({ scroller, was: scroller.scrollTop }));
  if (!still) element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  const after = rectOf(element);
  const moved = tops.find(({ scroller, was }) => scroller.scrollTop !== was) ?? tops[0];
  return {
    state: "scrolled",
    x: Math.round(before.x - after.x),
    y: Math.round(before.y - after.y),
    top: Math.round((moved?.scroller ?? documentScroller()).scrollTop),
    atEnd: false,
  };
}

/** From the innermost to the document. */
function scrollersAround(element: Element): Element[] {
  const root = documentScroller();
  const panes: Element[] = [];
  for (let at = flatParentOf(element); at && at !== root; at = flatParentOf(at)) if (canScroll(at, {})) panes.push(at);
  return [...panes, root];
}

/** A screenful less a little, so that a reader keeps the thread. */
function pageOf(scroller: Element): number {
  const height = scroller === documentScroller() ? window.innerHeight : scroller.clientHeight;
  return Math.max(1, Math.round(height * 0.9));
}

function isAtEnd(scroller: Element, { byX, byY, to }: ScrollParams): boolean {
  if (to === "top" || (byY ?? 0) < 0) return scroller.scrollTop <= 0;
  if (byX && !byY) {
    return byX < 0 ? scroller.scrollLeft <= 0 : scroller.scrollLeft + scroller.clientWidth >= scroller.scrollWidth - 1;
  }
  const height = scroller === documentScroller() ? window.innerHeight : scroller.clientHeight;
  return scroller.scrollTop + height >= scroller.scrollHeight - 1;
}

function scrollerOf(element: Element, params: ScrollParams): Element {
  for (let at: Element | undefined = element; at; at = flatParentOf(at)) if (canScroll(at, params)) return at;
  return documentScroller();
}

/** The document; when it does not scroll, what scrolls in the middle of the window (an application's main pane). */
function pageScroller(params: ScrollParams): Element {
  const root = documentScroller();
  if (canScroll(root, params)) return root;
  const middle = Document.prototype.elementFromPoint.call(document, window.innerWidth / 2, window.innerHeight / 2);
  return middle ? scrollerOf(middle, params) : root;
}

function canScroll(element: Element, { byX, byY }: ScrollParams): boolean {
  const style = getComputedStyle(element);
  const isRoot = element === documentScroller();
  const sideways = byX !== undefined && byX !== 0 && !byY;
  const overflow = sideways ? style.overflowX : style.overflowY;
  const more = sideways ? element.scrollWidth > element.clientWidth : element.scrollHeight > element.clientHeight;
  return (
    more && (isRoot ? overflow !== "hidden" : overflow === "auto" || overflow === "scroll" || overflow === "overlay")
  );
}
