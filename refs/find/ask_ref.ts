/** Asking of one element, as long as its document is the one that the frame shows. */
import type { Frame } from "playwright";
import { documentOf } from "../../browser/driver/inside.ts";
import { type AskOptions, ask, type Operations } from "../reader.ts";
import type { Ref } from "../ref_table.ts";
import { staleRef } from "./stale.ts";

/**
 * Asks the reader of the ref's frame. Throws what `ask` throws, and `stale_ref` as soon as another document is there:
 * that one need not be loaded, and its reader not set up, to say that it does not have the element.
 */
export async function askRef<Name extends keyof Operations>(
  ref: Ref,
  operation: Name,
  params: Operations[Name]["params"],
  options: AskOptions,
): Promise<Operations[Name]["answer"]> {
  using left = untilLeft(ref);
  return await Promise.race([ask(ref.frame, operation, params, options), left.promise]);
}

/** Rejects when the frame's document is replaced. */
function untilLeft(ref: Ref): Disposable & { promise: Promise<never> } {
  const { frame } = ref;
  const page = frame.page();
  const before = documentOf(frame);
  const { promise, reject } = Promise.withResolvers<never>();
  const onNavigated = (navigated: Frame) => {
    // Within one document it may go anywhere.
    if (navigated === frame && documentOf(frame) !== before) reject(staleRef(ref, { why: "document" }));
  };
  page.on("framenavigated", onNavigated);
  return { promise, [Symbol.dispose]: () => page.off("framenavigated", onNavigated) };
}
