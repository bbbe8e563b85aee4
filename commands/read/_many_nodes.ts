/** Pages of so many nodes that their accessibility tree, some kilobyte for each, would keep the daemon from others. */
import type { CDPSession } from "playwright";
import { BrowseError } from "../../errors.ts";
import { type FrameOfSession, numberIn } from "../../refs/frames/frame_world.ts";

/** Of documents as they stand. Answers are cut off at a tenth of it; reading it takes the daemon a tenth of a second. */
const MAX_NODES = 40_000;
/** Of whole processes, which count closed shadow trees, and what scripts have made and not shown. */
const MAX_KEPT = 100_000;

/** Throws `too_large` for more nodes than `accessibility` reads. */
export async function assertFewNodes(frames: readonly FrameOfSession[]): Promise<void> {
  const sessions = [...new Set(frames.map(({ session }) => session))];
  const kept = Math.max(...(await Promise.all(sessions.map(keptBy))));
  const counts = await Promise.all(frames.map((frame) => numberIn(frame, `(${countNodes})(${MAX_NODES})`)));
  const shown = counts.reduce((sum, count) => sum + count, 0);
  if (shown <= MAX_NODES && kept <= MAX_KEPT) return;
  const most = shown > MAX_NODES ? MAX_NODES : MAX_KEPT;
  throw new BrowseError("too_large", `The page has more than ${most} nodes, which are too many to read at once`, {
    hint: "Look at a part of it with `browse snapshot -s SELECTOR`",
    details: { maxNodes: most },
  });
}

/** What leaves meanwhile has none. */
async function keptBy(session: CDPSession): Promise<number> {
  const { nodes } = await session.send("Memory.getDOMCounters").catch(() => ({ nodes: 0 }));
  return nodes;
}

/** Runs in a world of ours, as text. */
function countNodes(max: number): number {
  const nodes = document.createTreeWalker(document);
  let count = 1;
  while (count <= max && nodes.nextNode()) count++;
  return count;
}
