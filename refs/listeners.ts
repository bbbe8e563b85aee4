/** Tells the reader which elements the page listens on for presses. */
import { randomUUID } from "node:crypto";
import type { Frame } from "playwright";
import type { Tab } from "../browser/tab.ts";
import { nodesFrom } from "./closed_roots.ts";
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
    await Promise.all(worlds.map((world) => (world.kind === "page" ? announce(world, type) : tellClosed(world))));
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

/**
 * Closed shadow roots, which no script can walk: the debugger lists what is listened on in each, and hands it over. That
 * takes a call an element, so it is not the way for the whole document.
 */
async function tellClosed(world: World): Promise<void> {
  const roots = await nodesFrom(world, "globalThis.browseHosts?.opened()").catch(() => []);
  await Promise.all(roots.map((root) => tellInside(world, root).catch(() => undefined)));
}

async function tellInside({ cdp, id }: World, root: string): Promise<void> {
  const { listeners } = await cdp.send("DOMDebugger.getEventListeners", { objectId: root, depth: -1, pierce: true });
  const byNode = Map.groupBy(listeners, ({ backendNodeId }) => backendNodeId);
  const pressed = [...byNode].flatMap(([node, those]) =>
    node !== undefined && isPressed([...new Set(those.map(({ type }) => type))]) ? [node] : [],
  );
  const resolved = await Promise.all(
    pressed.map((backendNodeId) => cdp.send("DOM.resolveNode", { backendNodeId, executionContextId: id })),
  );
  const elements = resolved.flatMap(({ object: { objectId } }) => (objectId ? [{ objectId }] : []));
  await cdp.send("Runtime.callFunctionOn", {
    executionContextId: id,
    functionDeclaration: "function (...elements) { globalThis.browseListened?.add(...elements); }",
    arguments: elements,
  });
}

function isPressed(types: readonly string[]): boolean {
  return types.length <= MAX_TYPES && types.some((type) => PRESSES.includes(type));
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
