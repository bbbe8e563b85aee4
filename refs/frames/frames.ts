/** Where a page's frames hang: which element of the parent document holds each. */
import type { Frame } from "playwright";
import type { ElementNumber } from "../page/protocol.ts";
import { ownerNumber } from "../reader.ts";

/** A frame keeps its element for life, and does not outlive the document that element is in. */
const owners = new WeakMap<Frame, Promise<ElementNumber>>();

/** The number of the frame's element in the parent's document, asked once; rejects when the frame is gone. */
export function ownerOf(frame: Frame): Promise<ElementNumber> {
  const known = owners.get(frame);
  if (known) return known;
  const n = ownerNumber(frame);
  owners.set(frame, n);
  // What failed once (a document that was being replaced) is asked again next time.
  n.catch(() => owners.delete(frame));
  return n;
}

/** How long one frame of a page may keep those waiting who read all of them. */
const MAX_FRAME_MS = 5_000;
/** One that has come to no address: not loaded yet, refused by the browser before it began, or written by a script. */
const MAX_UNLOADED_MS = 500;

/** By when a frame below the page has answered, or is left out. */
export function frameTimeoutMs(frame: Frame): number {
  return frame.url() === "" ? MAX_UNLOADED_MS : MAX_FRAME_MS;
}

/** The frame and all frames in it that are still there. */
export function framesUnder(frame: Frame): Frame[] {
  return [
    frame,
    ...frame
      .childFrames()
      .filter((child) => !child.isDetached())
      .flatMap(framesUnder),
  ];
}
