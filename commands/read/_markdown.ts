/** A page as Markdown: its visible content as HTML, frames in their places, turned into Markdown beside the daemon. */
import type { Frame } from "playwright";
import { abortable } from "../../abort.ts";
import type { FailedFrame } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { staleRef } from "../../refs/find/stale.ts";
import { resolve } from "../../refs/find/target.ts";
import { frameTimeoutMs, ownerOf } from "../../refs/frames/frames.ts";
import type { ElementId } from "../../refs/page/protocol.ts";
import { ask } from "../../refs/reader.ts";
import type { Ref } from "../../refs/ref_table.ts";
import type { HiddenTexts } from "../../security/content/hidden_text.ts";
import { convertToMarkdown } from "./_markdown_worker.ts";

export interface MarkdownOptions {
  /** Only what the page is about: navigation, margins and footers left out. */
  article: boolean;
  signal: AbortSignal;
  /** Is told, of each document, what nobody sees of its text. */
  onHidden?: (hidden: HiddenTexts) => void;
  /** Is told of each frame in it whose document did not come. */
  onFailedFrame?: (failed: FailedFrame) => void;
}

/** Throws what `resolve` throws, and `not_found` for a page without main content. */
export async function readMarkdown(tab: Tab, target: string | undefined, options: MarkdownOptions): Promise<string> {
  const { article, signal } = options;
  const ref = target === undefined ? undefined : await resolve(tab, target, { signal });
  const frame = ref?.frame ?? tab.frame;
  const html = await readableOf(frame, ref, { ...options, failures: tab.frameFailures });
  const title = article ? await frame.title() : "";
  const markdown = await abortable(convertToMarkdown({ html, title, article }, signal), signal);
  if (markdown !== null) return markdown;
  throw new BrowseError("not_found", "This page has no main content that stands out from the rest", {
    hint: "Leave out --article, or name the element: `browse markdown main`",
  });
}

interface ReadableOptions extends Pick<MarkdownOptions, "signal" | "onHidden" | "onFailedFrame"> {
  failures: Tab["frameFailures"];
  timeoutMs?: number;
}

async function readableOf(frame: Frame, ref: Ref | undefined, options: ReadableOptions): Promise<string> {
  const { signal, timeoutMs, onHidden } = options;
  const element: Partial<ElementId> = ref ? { doc: ref.doc, n: ref.n } : {};
  const answer = await ask(frame, "readable", element, { signal, ...(timeoutMs !== undefined && { timeoutMs }) });
  if (answer.state === "gone") {
    throw ref ? staleRef(ref, answer) : new BrowseError("detached", "The page went away while it was read");
  }
  if (answer.hidden) onHidden?.(answer.hidden);
  if (answer.frames.length === 0) return answer.html;
  const inner = new Map<string, string>();
  await Promise.all(
    frame.childFrames().map(async (child) => {
      const n = await ownerOf(child).catch(() => undefined);
      if (n !== undefined && answer.frames.includes(n)) inner.set(String(n), await readableChild(child, options));
    }),
  );
  return answer.html.replace(/<browse-frame n="(\d+)"><\/browse-frame>/g, (_, n: string) => inner.get(n) ?? "");
}

/** A frame that leaves or hangs while it is read has no content to show. */
async function readableChild(frame: Frame, options: ReadableOptions): Promise<string> {
  const failed = options.failures.of(frame);
  if (failed) options.onFailedFrame?.(failed);
  return await readableOf(frame, undefined, { ...options, timeoutMs: frameTimeoutMs(frame) }).catch(() => {
    options.signal.throwIfAborted();
    return "";
  });
}
