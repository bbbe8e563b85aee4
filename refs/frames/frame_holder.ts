/** The element that holds a frame, of the parent's document. A frame keeps it for life, so it is asked for once. */
import type { Frame } from "playwright";
import { BrowseError } from "../../errors.ts";
import type { ElementId } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import { ownerOf } from "./frames.ts";

const holders = new WeakMap<Frame, ElementId>();

/** Throws `frame_gone` when nothing holds the frame any more. */
export async function holderOf(frame: Frame, signal: AbortSignal): Promise<ElementId> {
  const known = holders.get(frame);
  if (known) return known;
  const parent = frame.parentFrame();
  if (!parent) throw new BrowseError("frame_gone", "The frame has left the page");
  const { doc } = await ask(parent, "document", {}, { signal });
  const n = await ownerOf(frame);
  const holder = { doc, n };
  holders.set(frame, holder);
  return holder;
}
