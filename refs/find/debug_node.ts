/** An element as the browser's debugger knows it, for as long as one look takes. */
import type { CDPSession } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { inWorlds, type World } from "../frames/worlds.ts";
import type { Ref } from "../ref_table.ts";
import { staleRef } from "./stale.ts";

export interface DebugNode {
  cdp: CDPSession;
  /** CDP's `BackendNodeId`: the same in every session of the page. */
  backendNodeId: number;
  /** In the world that only we and the driver use. Good until the look has ended. */
  objectId: string;
  /** CDP's id of the frame whose document it is in. */
  frameId: string;
}

/** Gives `look` the ref's element. Throws `stale_ref` when it has left the page. */
export async function withDebugNode<T>(tab: Tab, ref: Ref, look: (node: DebugNode) => Promise<T>): Promise<T> {
  return await inWorlds(tab, [ref.frame], async (worlds) => await look(await debugNode(worlds, ref)));
}

/** The ref's element in one of the worlds. Throws `stale_ref` when it has left the page. */
export async function debugNode(worlds: readonly World[], ref: Ref): Promise<DebugNode> {
  for (const world of worlds.filter(({ kind }) => kind === "isolated")) {
    const node = await nodeIn(world, ref);
    if (node) return node;
  }
  throw staleRef(ref, { state: "gone", why: "removed", doc: ref.doc });
}

/** Runs a function with the object as `this`, in the object's world. It may use nothing from around it. */
export async function callOn<Self extends Node, Args extends unknown[], Result>(
  { cdp, objectId }: Pick<DebugNode, "cdp" | "objectId">,
  body: (this: Self, ...args: Args) => Result | Promise<Result>,
  ...args: Args
): Promise<Result> {
  const { result, exceptionDetails } = await cdp.send("Runtime.callFunctionOn", {
    objectId,
    functionDeclaration: String(body),
    arguments: args.map((value) => ({ value })),
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value as Result;
}

async function nodeIn({ cdp, id, frameId }: World, { doc, n }: Ref): Promise<DebugNode | undefined> {
  const { result } = await cdp
    .send("Runtime.evaluate", {
      contextId: id,
      expression: `globalThis.browseElements?.find(${JSON.stringify({ doc, n })})`,
    })
    // A document that left meanwhile has no elements.
    .catch(() => ({ result: undefined }));
  if (!result?.objectId) return undefined;
  const { node } = await cdp.send("DOM.describeNode", { objectId: result.objectId, depth: 0 });
  return { cdp, backendNodeId: node.backendNodeId, objectId: result.objectId, frameId };
}
