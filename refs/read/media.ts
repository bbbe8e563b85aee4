/** Images, videos and sound of a tab, in every frame, with what the browser learned when it loaded them. */
import type { Frame } from "playwright";
import type { NetworkEntry } from "../../browser/capture/network_capture.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { cutUrl, redactUrl } from "../../security/secrets/redact.ts";
import { staleRef } from "../find/stale.ts";
import { resolve } from "../find/target.ts";
import { framesUnder, frameTimeoutMs } from "../frames/frames.ts";
import type { ElementSource, MediaDescription } from "../page/extract/protocol.ts";
import { ask } from "../reader.ts";

export interface Media extends Omit<MediaDescription, "n" | "box"> {
  /** Where it takes place on the page; CSS pixels. */
  shown: { width: number; height: number };
  /** Of the file, as the browser counted it. */
  bytes?: number;
  /** Address of the frame, when it is not the main one. */
  frame?: string;
}

export interface FramedMedia {
  media: Media;
  frame: Frame;
}

export type MediaKind = MediaDescription["kind"];

interface MediaOptions {
  kinds: ReadonlySet<MediaKind>;
  signal: AbortSignal;
}

/** Of an element, else of the frame that commands are scoped to and those in it. Throws what `resolve` throws. */
export async function readMedia(
  tab: Tab,
  target: string | undefined,
  { kinds, signal }: MediaOptions,
): Promise<FramedMedia[]> {
  const found = target === undefined ? await mediaOfFrames(tab, signal) : await mediaOfElement(tab, target, signal);
  const loaded = loadedBy(tab);
  return found
    .filter(({ media }) => kinds.has(media.kind))
    .map(({ media, frame }) => ({
      frame,
      media: completed(media, loaded.get(redactUrl(withoutFragment(media.url))), frame, tab),
    }));
}

/** The address that an element shows or leads to. Throws what `resolve` throws, and `not_found` when it has none. */
export async function sourceOf(
  tab: Tab,
  target: string,
  { signal }: { signal: AbortSignal },
): Promise<ElementSource & { frame: Frame }> {
  const ref = await resolve(tab, target, { signal });
  const answer = await ask(ref.frame, "source", { doc: ref.doc, n: ref.n }, { signal });
  if (answer.state === "gone") throw staleRef(ref, answer);
  if (!answer.source) {
    throw new BrowseError("not_found", `${ref.id} [${ref.role}] neither shows a file nor leads to one`, {
      hint: "Name a link, an image or a video; what a button starts is downloaded by `browse click`",
    });
  }
  return { ...answer.source, frame: ref.frame };
}

interface FoundMedia {
  media: MediaDescription;
  frame: Frame;
}

async function mediaOfElement(tab: Tab, target: string, signal: AbortSignal): Promise<FoundMedia[]> {
  const ref = await resolve(tab, target, { signal });
  const answer = await ask(ref.frame, "media", { doc: ref.doc, n: ref.n }, { signal });
  if (answer.state === "gone") throw staleRef(ref, answer);
  return answer.media.map((media) => ({ media, frame: ref.frame }));
}

async function mediaOfFrames(tab: Tab, signal: AbortSignal): Promise<FoundMedia[]> {
  const [first, ...others] = framesUnder(tab.frame);
  if (!first) return [];
  const answers = await Promise.all([
    mediaOfFrame(first, { signal }),
    // A frame that leaves or hangs meanwhile has nothing to show.
    ...others.map((frame) => mediaOfFrame(frame, { signal, timeoutMs: frameTimeoutMs(frame) }).catch(() => [])),
  ]);
  signal.throwIfAborted();
  return answers.flat();
}

async function mediaOfFrame(frame: Frame, options: { signal: AbortSignal; timeoutMs?: number }): Promise<FoundMedia[]> {
  const answer = await ask(frame, "media", {}, options);
  return answer.state === "gone" ? [] : answer.media.map((media) => ({ media, frame }));
}

/** The latest answer for each address, as the record has it: without secrets. */
function loadedBy(tab: Tab): Map<string, NetworkEntry> {
  return new Map(tab.capture.network.since(0).map(({ value }) => [withoutFragment(value.url), value]));
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}

function completed(
  { n: _, box, ...media }: MediaDescription,
  loaded: NetworkEntry | undefined,
  frame: Frame,
  tab: Tab,
): Media {
  const type = loaded?.responseHeaders?.["content-type"]?.split(";")[0]?.trim() || media.type;
  return {
    ...media,
    shown: { width: Math.round(box.width), height: Math.round(box.height) },
    ...(type && { type }),
    ...(loaded?.bytes !== undefined && { bytes: loaded.bytes }),
    ...(frame === tab.page.mainFrame() ? {} : { frame: cutUrl(frame.url()) }),
  };
}
