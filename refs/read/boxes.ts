/** Where elements are on a tab's page, through every frame; those that cannot be measured are said to be so. */
import type { Frame } from "playwright";
import { holderOf } from "../frames/frame_holder.ts";
import type { Box, ElementNumber, PlacedBox, Point } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import type { Ref } from "../ref_table.ts";

/** How long a frame may keep an image waiting. */
const MAX_FRAME_MS = 5_000;

/** By ref, in the viewport of the page; absent for what has no box, or whose frame has none or does not answer. */
export async function boxesOf(refs: readonly Ref[], signal: AbortSignal): Promise<Map<string, Box>> {
  const boxes = new Map<string, Box>();
  const byFrame = Map.groupBy(refs, ({ frame }) => frame);
  await Promise.all(
    [...byFrame].map(async ([frame, members]) => {
      const [origin, placed] = await Promise.all([
        originOf(frame, signal),
        boxesIn(
          frame,
          members.map(({ n }) => n),
          signal,
        ),
      ]);
      for (const [index, ref] of members.entries()) {
        const box = placed?.doc === ref.doc ? placed.boxes[index] : undefined;
        if (origin && box)
          boxes.set(ref.id, { x: box.x + origin.x, y: box.y + origin.y, width: box.width, height: box.height });
      }
    }),
  );
  signal.throwIfAborted();
  return boxes;
}

/** Where the frame's viewport begins in the page's. */
async function originOf(frame: Frame, signal: AbortSignal): Promise<Point | undefined> {
  const parent = frame.parentFrame();
  if (!parent) return { x: 0, y: 0 };
  const [around, own] = await Promise.all([originOf(parent, signal), contentOf(frame, parent, signal)]);
  return around && own && { x: around.x + own.x, y: around.y + own.y };
}

async function contentOf(frame: Frame, parent: Frame, signal: AbortSignal): Promise<Point | undefined> {
  // A frame that left has no place in the image.
  const holder = await holderOf(frame, signal).catch(() => undefined);
  const placed = holder && (await boxesIn(parent, [holder.n], signal));
  return placed?.boxes[0]?.content;
}

async function boxesIn(
  frame: Frame,
  numbers: ElementNumber[],
  signal: AbortSignal,
): Promise<{ doc: string; boxes: (PlacedBox | null)[] } | undefined> {
  return await ask(frame, "boxes", { numbers }, { signal, timeoutMs: MAX_FRAME_MS }).catch(() => undefined);
}
