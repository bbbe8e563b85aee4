/** Hands closed shadow roots to the reader, which can then read and press what is in them like anything else. */
import type { Frame } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { inWorlds, type World } from "../frames/worlds.ts";

/** How many were found behind the elements that the readers asked about. */
export async function openClosedRoots(tab: Tab, frames: readonly Frame[]): Promise<number> {
  let found = 0;
  await inWorlds(tab, frames, async (worlds) => {
    const isolated = worlds.filter(({ kind }) => kind === "isolated");
    const counts = await Promise.all(isolated.map((world) => openIn(world).catch(() => 0)));
    found = counts.reduce((sum, count) => sum + count, 0);
  });
  return found;
}

async function openIn(world: World): Promise<number> {
  const hosts = await nodesFrom(world, "globalThis.browseHosts?.take()");
  const opened = await Promise.all(hosts.map((host) => open(world, host).catch(() => false)));
  return opened.filter(Boolean).length;
}

/** The debugger's ids of the nodes in the array that a script answers with, if it does. */
export async function nodesFrom({ cdp, id }: World, expression: string): Promise<string[]> {
  const { result } = await cdp.send("Runtime.evaluate", { contextId: id, expression });
  if (!result.objectId) return [];
  const { result: properties } = await cdp.send("Runtime.getProperties", {
    objectId: result.objectId,
    ownProperties: true,
  });
  return properties.flatMap(({ value }) => (value?.subtype === "node" && value.objectId ? [value.objectId] : []));
}

async function open({ cdp, id }: World, host: string): Promise<boolean> {
  const { node } = await cdp.send("DOM.describeNode", { objectId: host, depth: 0 });
  const closed = node.shadowRoots?.find(({ shadowRootType }) => shadowRootType === "closed");
  if (!closed) return false;
  const { object } = await cdp.send("DOM.resolveNode", { backendNodeId: closed.backendNodeId, executionContextId: id });
  if (!object.objectId) return false;
  await cdp.send("Runtime.callFunctionOn", {
    objectId: host,
    functionDeclaration: "function (root) { globalThis.browseHosts?.adopt(this, root); }",
    arguments: [{ objectId: object.objectId }],
  });
  return true;
}
