/** The script worlds of a tab's documents, as the browser's debugger sees them, for as long as one look takes. */
import type { CDPSession, Frame } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";

export interface World {
  cdp: CDPSession;
  /** CDP's `ExecutionContextId`. */
  id: number;
  /** The page's own, or one that only we and the driver use. */
  kind: "page" | "isolated";
  /** CDP's id of the frame whose document it belongs to. */
  frameId: string;
}

/** Sessions of its own, since one that hears of worlds also hears all that the page says. */
export async function inWorlds<T>(
  tab: Tab,
  frames: readonly Frame[],
  look: (worlds: readonly World[]) => Promise<T>,
): Promise<T> {
  const context = tab.page.context();
  const children = frames.filter((frame) => frame !== tab.page.mainFrame());
  const opened = await Promise.all([
    context.newCDPSession(tab.page),
    // A frame in its page's process has no session of its own: its worlds are the page's.
    ...children.map((frame) => context.newCDPSession(frame).catch(() => undefined)),
  ]);
  const sessions = opened.filter((session) => session !== undefined);
  try {
    return await look((await Promise.all(sessions.map(worldsOf))).flat());
  } finally {
    await Promise.all(sessions.map((session) => session.detach().catch(() => undefined)));
  }
}

async function worldsOf(cdp: CDPSession): Promise<World[]> {
  const worlds: World[] = [];
  cdp.on("Runtime.executionContextCreated", ({ context: { id, auxData } }) => {
    const {
      isDefault,
      type,
      frameId = "",
    } = (auxData ?? {}) as {
      isDefault?: boolean;
      type?: string;
      frameId?: string;
    };
    if (isDefault) worlds.push({ cdp, id, kind: "page", frameId });
    else if (type === "isolated") worlds.push({ cdp, id, kind: "isolated", frameId });
  });
  // A frame that leaves meanwhile has no worlds left to tell of. Those there are have been told when this is answered.
  await cdp.send("Runtime.enable").catch(() => undefined);
  return worlds;
}
