/** Tells the reader which elements the page listens on for presses. */
import { randomUUID } from "node:crypto";
import type { Frame } from "playwright";
import { abortable } from "../../abort.ts";
import { runInPage } from "../../browser/driver/world.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { inWorlds, type World } from "../frames/worlds.ts";
import { ask } from "../reader.ts";
import { nodesFrom } from "./closed_roots.ts";

/** Events that a press, by mouse or finger, gives. */
const PRESSES = "click dblclick auxclick contextmenu mousedown mouseup pointerdown pointerup touchstart touchend".split(
  " ",
);
/** A framework that listens for everything below an element says nothing about the element. Event types. */
const MAX_TYPES = 25;

/** After this, and until its next reading, the frame's reader knows them. Throws what `ask` throws, and for an abort. */
export async function tellListeners(tab: Tab, frame: Frame, signal: AbortSignal): Promise<void> {
  const type = randomUUID();
  const script = `(${announceListened})(${JSON.stringify({ type, presses: PRESSES, maxTypes: MAX_TYPES })})`;
  const { closed } = await ask(frame, "listen", { type }, { signal });
  const isTold = await abortable(runInPage(frame, script), signal);
  if (isTold && closed === 0) return;
  const telling = inWorlds(tab, [frame], async (worlds) => {
    const pageOf = ({ frameId }: World) => worlds.find((each) => each.kind === "page" && each.frameId === frameId);
    await Promise.all(
      worlds.map((world) => (world.kind === "page" ? announce(world, script) : tellClosed(world, pageOf(world)))),
    );
  });
  await abortable(telling, signal);
}

/** Listeners are known to the debugger only in the world that added them. */
async function announce({ cdp, id }: World, script: string): Promise<void> {
  await cdp
    .send("Runtime.evaluate", { contextId: id, expression: script, includeCommandLineAPI: true, returnByValue: true })
    // A document that left meanwhile has nothing that could be pressed.
    .catch(() => undefined);
}

/**
 * Closed shadow roots, which no script can walk: the debugger lists what is listened on in each, and hands it over. That
 * takes a call an element, so it is not the way for the whole document.
 */
async function tellClosed(world: World, page: World | undefined): Promise<void> {
  if (!page) return;
  const roots = await nodesFrom(world, "globalThis.browseHosts?.opened()").catch(() => []);
  await Promise.all(roots.map((root) => tellInside(world, page, root).catch(() => undefined)));
}

/**
 * Asked of the page's own object for the root: asked of ours, where there are several, Chromium (156) gives this world the
 * page's objects from then on, which its getters refuse.
 */
async function tellInside({ cdp, id }: World, page: World, root: string): Promise<void> {
  const { node } = await cdp.send("DOM.describeNode", { objectId: root, depth: 0 });
  const { object } = await cdp.send("DOM.resolveNode", {
    backendNodeId: node.backendNodeId,
    executionContextId: page.id,
  });
  if (!object.objectId) return;
  const asked = { objectId: object.objectId, depth: -1, pierce: true };
  const { listeners } = await cdp.send("DOMDebugger.getEventListeners", asked);
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
      // Svelte and Solid keep beside the element what is called from the root.
      const isHandled = presses.some(
        (name) => Object.hasOwn(element, `__${name}`) || Object.hasOwn(element, `$$${name}`),
      );
      const isPressed = isHandled || (listened.length <= maxTypes && listened.some((name) => presses.includes(name)));
      // Nobody else can know the name, so nobody else hears it.
      if (isPressed) element.dispatchEvent(new Event(type, { composed: true }));
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
}
