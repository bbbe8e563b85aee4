/** Tells the reader which elements the page listens on for presses. */
import { randomUUID } from "node:crypto";
import type { Frame } from "playwright";
import type { Tab } from "../browser/tab.ts";
import { ask } from "./reader.ts";
import { inWorlds, type World } from "./worlds.ts";

/** Events that a press, by mouse or finger, gives. */
const PRESSES = "click dblclick auxclick mousedown mouseup pointerdown pointerup touchstart touchend".split(" ");
/** A framework that listens for everything below an element says nothing about the element. Event types. */
const MAX_TYPES = 25;

/** After this, and until the next reading, the reader of each frame knows them. */
export async function tellListeners(tab: Tab, frames: readonly Frame[], signal: AbortSignal): Promise<void> {
  const type = randomUUID();
  const told = frames.map((frame) =>
    ask(frame, "listen", { type }, { signal, timeoutMs: 5_000 }).catch(() => undefined),
  );
  await Promise.all(told);
  signal.throwIfAborted();
  await inWorlds(tab, frames, async (worlds) => {
    await Promise.all(worlds.filter(({ kind }) => kind === "page").map((world) => announce(world, type)));
  });
}

/** Listeners are known to the debugger only in the world that added them. */
async function announce({ cdp, id }: World, type: string): Promise<void> {
  const script = `(${announceListened})(${JSON.stringify({ type, presses: PRESSES, maxTypes: MAX_TYPES })})`;
  await cdp
    .send("Runtime.evaluate", { contextId: id, expression: script, includeCommandLineAPI: true, returnByValue: true })
    // A document that left meanwhile has nothing that could be pressed.
    .catch(() => undefined);
}

interface Announcement {
  type: string;
  presses: readonly string[];
  maxTypes: number;
}

/** The debugger's own, there for scripts that it evaluates. */
declare const getEventListeners: (target: EventTarget) => Record<string, unknown[]>;

/** Runs in the page's world, as text: it may use nothing from around it. */
function announceListened({ type, presses, maxTypes }: Announcement): void {
  const roots: (Document | ShadowRoot)[] = [document];
  for (let i = 0; i < roots.length; i++) {
    const root = roots[i];
    if (!root) break;
    const { querySelectorAll } = root instanceof Document ? Document.prototype : DocumentFragment.prototype;
    for (const element of querySelectorAll.call(root, "*")) {
      const listened = Object.keys(getEventListeners(element));
      const isPressed = listened.length <= maxTypes && listened.some((name) => presses.includes(name));
      // Nobody else can know the name, so nobody else hears it.
      if (isPressed) element.dispatchEvent(new Event(type, { composed: true }));
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
}
