/** Which places of a document can be brought into sight. */
import { body, flatParentOf, rectOf, rootElement } from "../dom/dom.ts";
import type { Area } from "./clips.ts";
import type { Facts } from "./facts.ts";
import type { Reading } from "./reading.ts";

/** The document's window: how far it is scrolled, and how far it can be. */
export class Places {
  readonly #reading: Reading;
  readonly #scrollX = window.scrollX;
  readonly #scrollY = window.scrollY;
  readonly #width: number;
  readonly #height = window.innerHeight;
  /** Right-to-left pages scroll to the left. */
  readonly #isRightToLeft: boolean;
  /** Nobody scrolls to what is beside the page. A page that is not scrolled down for now (a dialog is open) is another matter. */
  readonly #isLockedInX: boolean;

  constructor(reading: Reading) {
    const root = rootElement();
    this.#reading = reading;
    this.#width = root?.clientWidth ?? 0;
    this.#isRightToLeft = root !== null && getComputedStyle(root).direction === "rtl";
    this.#isLockedInX = root !== null && cutsInX(root);
  }

  /** Could be scrolled into the window. */
  isReachable({ left, top, right, bottom }: Area, facts: Facts): boolean {
    if (bottom + this.#scrollY <= 0) return false;
    const isBeside = this.#isRightToLeft ? right <= 0 : left >= this.#width;
    if (isBeside && this.#isLockedInX) return false;
    const isInReach = this.#isRightToLeft ? left < this.#width : right + this.#scrollX > 0;
    return isInReach && !((isBeside || top >= this.#height) && this.#isFixed(facts));
  }

  #isFixed(facts: Facts): boolean {
    for (const at of this.#reading.without("isFixed", facts)) {
      const isOwn = this.#reading.styleIn(at).position === "fixed" && isFixedInWindow(at.element, this.#reading);
      at.isFixed = isOwn || this.#reading.parentOf(at)?.isFixed === true;
    }
    return facts.isFixed === true;
  }
}

/** The window takes this from the root, or else from the body (CSS Overflow 3, 3.3). */
function cutsInX(root: Element): boolean {
  const own = getComputedStyle(root).overflowX;
  const holder = own === "visible" ? body() : root;
  return holder !== null && /^(hidden|clip)$/.test(holder === root ? own : getComputedStyle(holder).overflowX);
}

/** What is fixed in an element that is moved or filtered moves with that (CSS Positioned Layout 3, 2.1). */
function isFixedInWindow(element: Element, reading: Reading): boolean {
  for (let at = flatParentOf(element); at; at = flatParentOf(at)) {
    const {
      transform,
      translate,
      scale,
      rotate,
      perspective,
      filter,
      backdropFilter,
      contain,
      willChange,
      containerType,
    } = reading.styleOf(at);
    const isMoved = [transform, translate, scale, rotate, perspective, filter, backdropFilter].some(
      (it) => it !== "none",
    );
    const isContained = /paint|layout|strict|content/.test(contain) || /transform|filter|perspective/.test(willChange);
    if (isMoved || isContained || (containerType !== "normal" && containerType !== undefined)) return false;
  }
  return true;
}

/** Could its scroller bring it to where that is? */
export function isReachableIn(scroller: Element, rect: Area): boolean {
  const frame = rectOf(scroller);
  const isRightToLeft = getComputedStyle(scroller).direction === "rtl";
  if (rect.bottom - frame.top + scroller.scrollTop <= 0) return false;
  return isRightToLeft || rect.right - frame.left + scroller.scrollLeft > 0;
}
