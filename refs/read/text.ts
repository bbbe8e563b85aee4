/** Text as a person reads it: of an element, or of the whole page with the text of its frames where they stand. */
import type { Frame } from "playwright";
import type { FailedFrame } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import type { HiddenTexts } from "../../security/content/hidden_text.ts";
import { staleRef } from "../find/stale.ts";
import { resolve } from "../find/target.ts";
import { frameTimeoutMs, ownerOf } from "../frames/frames.ts";
import type { ElementId } from "../page/protocol.ts";
import { ask } from "../reader.ts";
import type { Ref } from "../ref_table.ts";

interface TextOptions {
  signal: AbortSignal;
  /** Is told, of each document, what nobody sees of its text. */
  onHidden?: (hidden: HiddenTexts) => void;
  /** Is told of each frame in it whose document did not come. */
  onFailedFrame?: (failed: FailedFrame) => void;
}

/** Throws what `resolve` throws. */
export async function readText(tab: Tab, target: string | undefined, options: TextOptions): Promise<string> {
  const ref = target === undefined ? undefined : await resolve(tab, target, options);
  return await textOf(ref?.frame ?? tab.frame, ref, { ...options, failures: tab.frameFailures });
}

interface FrameOptions extends TextOptions {
  failures: Tab["frameFailures"];
}

async function textOf(
  frame: Frame,
  ref: Ref | undefined,
  options: FrameOptions & { isChild?: boolean },
): Promise<string> {
  const { signal, onHidden, isChild = false } = options;
  const element: Partial<ElementId> = ref ? { doc: ref.doc, n: ref.n } : {};
  const limit = isChild ? { timeoutMs: frameTimeoutMs(frame) } : {};
  const answer = await ask(frame, "text", element, { signal, ...limit });
  if (answer.state === "gone") {
    throw ref ? staleRef(ref, answer) : new BrowseError("detached", "The page went away while it was read");
  }
  if (answer.hidden) onHidden?.(answer.hidden);
  if (answer.frames.length === 0) return answer.text;
  const children = await childrenByOwner(frame);
  const inserts = await Promise.all(
    answer.frames.map(async ({ n, at }) => ({ at, text: await textOfChild(children.get(n), options) })),
  );
  return spliced(answer.text, inserts);
}

async function childrenByOwner(frame: Frame): Promise<Map<number, Frame>> {
  const children = frame.childFrames().filter((child) => !child.isDetached());
  const owned = await Promise.all(
    children.map(async (child) => [await ownerOf(child).catch(() => undefined), child] as const),
  );
  return new Map(owned.flatMap(([n, child]) => (n === undefined ? [] : [[n, child] as const])));
}

/** A frame that leaves while it is read has no text any more, and one without a document none yet. */
async function textOfChild(frame: Frame | undefined, options: FrameOptions): Promise<string> {
  if (!frame) return "";
  const failed = options.failures.of(frame);
  if (failed) options.onFailedFrame?.(failed);
  return await textOf(frame, undefined, { ...options, isChild: true }).catch((error: unknown) => {
    options.signal.throwIfAborted();
    if (frame.isDetached() || (error instanceof BrowseError && error.kind === "timeout")) return "";
    throw error;
  });
}

/** `text` with each piece set in at its place, as lines of their own. */
function spliced(text: string, inserts: readonly { at: number; text: string }[]): string {
  let whole = "";
  let from = 0;
  for (const { at, text: inner } of [...inserts].sort((a, b) => a.at - b.at)) {
    const before = text.slice(from, at);
    whole += before;
    if (inner !== "") whole += `${whole === "" || whole.endsWith("\n") ? "" : "\n"}${inner}\n`;
    from = inner === "" ? at : at + (text[at] === "\n" ? 1 : 0);
  }
  return whole + text.slice(from);
}
