/** Where a page's frames hang: which element of the parent document holds each. */
import type { Frame } from "playwright";
import type { ElementNumber } from "./page/protocol.ts";
import { ownerNumber } from "./reader.ts";

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
