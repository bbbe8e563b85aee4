/**
 * Keeps a press out of the documents that come while it is on its way: one that was meant for the page before could
 * land on anything in them.
 */
import type { CDPSession } from "playwright";
import { directly } from "../../browser/driver/direct_session.ts";
import { OPENED } from "../page/act/hit_report_name.ts";

const PRESS_EVENTS = [
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "dblclick",
  "auxclick",
  "contextmenu",
];

/** A new document takes no press for so long, or until one is meant for it. A press needs a tenth of it to arrive. */
const CLOSED_MS = 500;

/** Stands alone: it travels as text, and runs before anything of the document does. */
function closeToPresses(types: readonly string[], ms: number, opened: string): void {
  const until = Date.now() + ms;
  const stop = (event: Event) => {
    if (!event.isTrusted || Date.now() > until || Object.hasOwn(globalThis, opened)) return;
    // A click that no button of the mouse made is the keyboard's: Enter in a form clicks its button.
    if (event.type === "click" && (event as MouseEvent).detail === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  for (const type of types) addEventListener(type, stop, true);
}

const SOURCE = `(${closeToPresses})(${JSON.stringify(PRESS_EVENTS)}, ${CLOSED_MS}, ${JSON.stringify(OPENED)})`;

/** Resolves when every document that begins from now on is closed; gives what ends that. */
export async function closeNewDocuments(cdp: CDPSession, worldName: string): Promise<() => void> {
  const direct = directly(cdp);
  const added = await direct
    .send("Page.addScriptToEvaluateOnNewDocument", { source: SOURCE, worldName })
    // Refused when the frame has just left, which the look at the element will say.
    .catch(() => undefined);
  return () => {
    if (added) void direct.send("Page.removeScriptToEvaluateOnNewDocument", added).catch(() => undefined);
  };
}
