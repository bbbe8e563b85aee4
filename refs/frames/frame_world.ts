/** Small questions to a frame about itself, in a world where its scripts change nothing. */
import type { CDPSession } from "playwright";

export interface FrameOfSession {
  session: CDPSession;
  frameId: string;
}

const WORLD = "browse-counts";

/** The number that an expression comes to; 0 from a frame that leaves meanwhile. */
export async function numberIn({ session, frameId }: FrameOfSession, expression: string): Promise<number> {
  const ask = async () => {
    const world = await session.send("Page.createIsolatedWorld", { frameId, worldName: WORLD });
    const contextId = world.executionContextId;
    const { result } = await session.send("Runtime.evaluate", { contextId, expression, returnByValue: true });
    return Number(result.value ?? 0);
  };
  return await ask().catch(() => 0);
}
