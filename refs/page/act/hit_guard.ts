/**
 * Lets a press through to the one element it is meant for, and to nothing else. The page may move, cover or replace
 * things between the look and the press; whatever the press then meets, its handlers do not hear of it.
 *
 * Known limit: listeners that the page put on its window, in the capture phase, before this document was first read
 * run before ours.
 */

import { closedRootOf, has } from "../dom/dom.ts";
import { elementAt, holds } from "../dom/geometry.ts";
import type { Described } from "../protocol.ts";
import { FrameGuard } from "./frame_guard.ts";
import { OPENED } from "./hit_report_name.ts";
import { describeCover, isPassedOn, judgeHit } from "./hits.ts";
import type { GuardReport } from "./protocol.ts";

const STARTS = ["pointerdown", "mousedown"];
const CLICKS = ["click", "dblclick", "auxclick", "contextmenu"];
const EVENTS = [...STARTS, "pointerup", "mouseup", ...CLICKS, "dragstart"];

interface Guarded {
  /** Undefined: no press may land in this document. */
  element: Element | undefined;
  /** Whether the element still is what its ref names. */
  isSame: () => boolean;
  /** A control inside it may take the press. */
  inner: boolean;
}

export class HitGuard {
  readonly #describe: (element: Element) => Described;
  readonly #tell: (seen: Pick<GuardReport, "press" | "clicked">) => void;
  readonly #listener = (event: Event) => this.#onEvent(event);
  #guarded: Guarded | undefined;
  #press: GuardReport["press"] = "none";
  #clicked = false;
  /** Where the button came up again. */
  #released: GuardReport["released"] = "unseen";
  #blockedBy: Described | undefined;
  #drag: Event | undefined;
  #isScripted = false;
  /** The element, or what is in it, changed since the guard was armed. */
  #isTouched = false;
  readonly #observer = new MutationObserver(() => {
    this.#isTouched = true;
  });
  /** A page that is written anew by `document.open` while a press is on its way has lost our listeners. */
  readonly #rewriting = new MutationObserver(() => this.#listen());
  readonly #frames = new FrameGuard(EVENTS, (event, frame) => this.#onFrameEvent(event, frame));

  constructor(describe: (element: Element) => Described, tell: (seen: Pick<GuardReport, "press" | "clicked">) => void) {
    this.#describe = describe;
    this.#tell = tell;
    this.#listen();
  }

  arm(element: Element, isSame: () => boolean, inner: boolean): void {
    this.#begin({ element, isSame, inner });
    this.#observer.observe(element, { subtree: true, childList: true, attributes: true, characterData: true });
    this.#frames.close();
  }

  /** No press may land in this document, but in the frame that holds the element. */
  armAround(frame: Element): void {
    this.#begin({ element: undefined, isSame: () => false, inner: false });
    this.#frames.close(frame);
  }

  #begin(guarded: Guarded): void {
    // `document.open` takes every listener off the window, also those of this world. Adding one again does nothing.
    this.#listen();
    this.#rewriting.observe(document, { childList: true });
    (globalThis as { [OPENED]?: true })[OPENED] = true;
    this.#guarded = guarded;
    this.#isTouched = false;
    this.#observer.disconnect();
    this.#press = "none";
    this.#clicked = false;
    this.#released = "unseen";
    this.#blockedBy = undefined;
    this.#drag = undefined;
    this.#isScripted = false;
    this.#tell({ press: "none", clicked: false });
  }

  /** The document is on its own again. */
  disarm(): void {
    this.#observer.disconnect();
    this.#rewriting.disconnect();
    this.#frames.open();
    this.#guarded = undefined;
  }

  /** A `javascript:` link has been clicked. */
  get isScripted(): boolean {
    return this.#isScripted;
  }

  /** What the press met. */
  get report(): Pick<GuardReport, "press" | "clicked" | "released" | "dragging" | "blockedBy"> {
    const dragging = this.#drag !== undefined && !this.#drag.defaultPrevented;
    const report = { press: this.#press, clicked: this.#clicked, released: this.#released, dragging };
    return this.#blockedBy ? { ...report, blockedBy: this.#blockedBy } : report;
  }

  #listen(): void {
    for (const type of EVENTS) window.addEventListener(type, this.#listener, { capture: true });
  }

  #onEvent(event: Event): void {
    const guarded = this.#guarded;
    if (!guarded || !event.isTrusted) return;
    if (this.#press === "none") {
      // A click without a press before it comes from the keyboard.
      if (!STARTS.includes(event.type)) return;
      this.#judge(event, guarded);
    }
    const isClick = CLICKS.includes(event.type);
    // Where it ends, and what it passes over on the way, is the page's affair.
    const mustMeet = isClick || STARTS.includes(event.type);
    const lands = this.#press === "element" && (!mustMeet || meets(event, guarded));
    if (lands && event.type === "mouseup") this.#release(event, guarded);
    if (!lands) stop(event);
    else if (isClick) this.#click(event);
    else if (event.type === "dragstart") this.#drag = event;
  }

  /** Its name is another, but only a style rule can have done that: `:hover::after` adds to names. */
  #onlyStyled(element: Element): boolean {
    if (this.#isTouched || this.#observer.takeRecords().length > 0) return false;
    return !has(element, "aria-labelledby") && !(element as Partial<HTMLInputElement>).labels?.length;
  }

  #click(event: Event): void {
    this.#clicked = true;
    this.#tell({ press: this.#press, clicked: true });
    this.#isScripted ||= event
      .composedPath()
      .some((at) => at instanceof HTMLAnchorElement && at.protocol === "javascript:");
  }

  /** The first event of the gesture decides for all of it. */
  #judge(event: Event, guarded: Guarded): void {
    const { element, isSame } = guarded;
    const isMet = element !== undefined && meets(event, guarded);
    this.#press = isMet && (isSame() || this.#onlyStyled(element)) ? "element" : "blocked";
    this.#tell({ press: this.#press, clicked: false });
    if (this.#press === "blocked") this.#blame(hitOf(event), element);
  }

  /** What came under the mouse while the button was down gets no click. */
  #release(event: Event, guarded: Guarded): void {
    this.#released = meets(event, guarded) ? "element" : "elsewhere";
    if (this.#released === "elsewhere") this.#blame(hitOf(event), guarded.element);
  }

  /** A press, or the end of one, has gone astray into a frame. */
  #onFrameEvent(event: Event, frame: Element): void {
    const guarded = this.#guarded;
    if (!guarded || !event.isTrusted) return;
    const isStart = this.#press === "none" && STARTS.includes(event.type);
    if (this.#press === "none" && !isStart) return;
    if (isStart) this.#press = "blocked";
    if (isStart || event.type === "mouseup") this.#blame(frame, guarded.element);
    if (this.#press === "blocked" || CLICKS.includes(event.type)) stop(event);
  }

  #blame(hit: EventTarget | undefined, element: Element | undefined): void {
    if (hit instanceof Element) this.#blockedBy = describeCover(hit, element, this.#describe);
  }
}

function meets(event: Event, { element, inner }: Guarded): boolean {
  const hit = hitOf(event);
  if (!element || !(hit instanceof Element)) return false;
  if (event.type === "click" && isPassedOn(element, hit)) return true;
  const verdict = judgeHit(element, hit);
  return verdict === "element" || (inner && verdict === "inner-control");
}

/** What the event met; in a closed shadow root, which its path leaves out, what lies where the mouse is. */
function hitOf(event: Event): EventTarget | undefined {
  const [hit] = event.composedPath();
  if (!(event instanceof MouseEvent && hit instanceof Element && closedRootOf(hit))) return hit;
  const inner = elementAt({ x: event.clientX, y: event.clientY });
  return inner && holds(hit, inner) ? inner : hit;
}

function stop(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}
