import { basename, join } from "node:path";
import * as v from "valibot";
import { withDownload } from "../../browser/download/fetch_file.ts";
import { isInline, readInline } from "../../browser/download/inline_file.ts";
import { type ReceivedFile, streamRefusal } from "../../browser/download/received_file.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { type FramedMedia, type MediaKind, readMedia } from "../../refs/read/media.ts";
import { counted } from "../../wording.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import type { TabContext } from "../context.ts";
import { FileName, Target, writesFile } from "../params.ts";
import { bytesAllowed, FETCH_TIMEOUT_MS, fetchParams, transferFor } from "./_fetching.ts";
import { type KeptFile, keepFile } from "./_keep_file.ts";

const MANIFEST = "/manifest.json";
const DEFAULT_LIMIT = 50;

const KINDS: Readonly<Record<"images" | "videos" | "media", readonly MediaKind[]>> = {
  images: ["image"],
  videos: ["video"],
  media: ["image", "video", "audio"],
};

const ItemSchema = v.strictObject({
  url: v.string(),
  kind: v.picklist(["image", "video", "audio"]),
  file: v.exactOptional(v.pipe(v.string(), v.description("Name in the folder; absent when it could not be had"))),
  bytes: v.exactOptional(v.number()),
  type: v.exactOptional(v.string()),
  width: v.exactOptional(v.number()),
  height: v.exactOptional(v.number()),
  alt: v.exactOptional(v.string()),
  error: v.exactOptional(v.strictObject({ kind: v.string(), message: v.string(), hint: v.string() })),
});

type Item = v.InferOutput<typeof ItemSchema>;

export default defineCommand({
  name: "scrape",
  category: "extract",
  summary: "Download the page's images, videos, or all media into a folder, with a manifest.json",
  description:
    "Each address once, in the order of the page. What cannot be had is named in the manifest with the reason; HLS and " +
    "DASH streams are among that. Without --dir the folder is a new one in .browse/artifacts.",
  scope: "write",
  effect: "disk",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  locksTab: false,
  timeoutMs: FETCH_TIMEOUT_MS,
  params: v.strictObject({
    what: v.pipe(v.picklist(["images", "videos", "media"]), v.description("What to download")),
    dir: v.exactOptional(
      v.pipe(FileName, v.description("Folder to write to"), writesFile({ suffixes: [MANIFEST], isAnswer: true })),
    ),
    limit: v.exactOptional(
      v.pipe(
        v.number(),
        v.integer(),
        v.minValue(1),
        v.maxValue(500),
        v.description("Maximum number of files (default 50)"),
      ),
    ),
    selector: v.exactOptional(v.pipe(Target, v.description("Only what is inside this element"))),
    ...fetchParams,
  }),
  cli: { positional: ["what"] },
  result: v.strictObject({
    dir: v.string(),
    manifest: v.string(),
    saved: v.number(),
    failed: v.number(),
    left: v.pipe(v.number(), v.description("Beyond the limit")),
    items: v.array(ItemSchema),
  }),
  examples: ["browse scrape images", "browse scrape media --dir images --selector main --limit 10"],
  async run(context, params) {
    const { what, selector, limit = DEFAULT_LIMIT } = params;
    const kinds = new Set(KINDS[what]);
    const found = distinct(await readMedia(context.tab, selector, { kinds, signal: context.signal }));
    if (found.length === 0) throw nothingToScrape(what);
    const dir = params.dir ?? artifactPath(context, what, "");
    const wanted = found.slice(0, limit);
    const items = await context.session.inThrowAwayTab(
      context,
      async (throwAway) => await scrapeAll(context, throwAway, wanted, { dir, maxBytes: bytesAllowed(params) }),
    );
    const saved = items.filter(({ file }) => file !== undefined).length;
    if (saved === 0) throw nothingSaved(items);
    const manifest = `${dir}${MANIFEST}`;
    const page = { url: context.tab.url, time: new Date().toISOString() };
    await context.save(manifest, `${JSON.stringify({ ...page, items }, null, 2)}\n`);
    return { dir, manifest, saved, failed: items.length - saved, left: found.length - wanted.length, items };
  },
  render({ dir, saved, failed, left, items }) {
    const lines = items.map((item) =>
      item.error ? `  not ${item.url}: ${item.error.message}` : `  ${JSON.stringify(item.file)} (${item.bytes} bytes)`,
    );
    const more = left > 0 ? `; ${left} more on the page: allow them with --limit` : "";
    return [
      `Wrote ${counted(saved, "file")} and manifest.json to ${dir}${failed > 0 ? `, ${failed} failed` : ""}${more}`,
      ...lines,
    ].join("\n");
  },
});

function distinct(found: readonly FramedMedia[]): FramedMedia[] {
  const byUrl = new Map<string, FramedMedia>();
  for (const entry of found) if (!byUrl.has(entry.media.url)) byUrl.set(entry.media.url, entry);
  return [...byUrl.values()];
}

interface ScrapeOptions {
  dir: string;
  /** Of all files together. */
  maxBytes: number;
}

async function scrapeAll(
  context: TabContext,
  throwAway: Tab,
  found: readonly FramedMedia[],
  { dir, maxBytes }: ScrapeOptions,
): Promise<Item[]> {
  const items: Item[] = [];
  let left = maxBytes;
  for (const [index, entry] of found.entries()) {
    const number = String(index + 1).padStart(3, "0");
    const fetched = { maxBytes: left, pathFor: (name: string) => join(dir, `${number}-${name}`) };
    const item = await scrapeOne(context, throwAway, entry, fetched);
    left -= item.bytes ?? 0;
    items.push(item);
    context.progress(items.length, found.length, "files");
  }
  return items;
}

interface FetchOne {
  maxBytes: number;
  pathFor: (name: string) => string;
}

async function scrapeOne(
  context: TabContext,
  throwAway: Tab,
  { media, frame }: FramedMedia,
  fetched: FetchOne,
): Promise<Item> {
  const { kind, alt, width, height, stream } = media;
  const item: Item = {
    url: media.url.startsWith("data:") ? `${media.url.slice(0, 60)}…` : media.url,
    kind,
    ...(alt !== undefined && { alt }),
    ...(width !== undefined && height !== undefined && { width, height }),
  };
  try {
    if (fetched.maxBytes <= 0) {
      throw new BrowseError("too_large", "The files before it took all that --max-megabytes allows");
    }
    if (stream === "hls" || stream === "dash") throw streamRefusal(stream === "hls" ? "HLS" : "DASH");
    const { path, bytes, type } = await fetchOne(context, throwAway, { media, frame }, fetched);
    return { ...item, file: basename(path), bytes, type };
  } catch (error) {
    return { ...item, error: failureOf(error, context.signal) };
  }
}

async function fetchOne(
  context: TabContext,
  throwAway: Tab,
  { media: { url, kind }, frame }: FramedMedia,
  { maxBytes, pathFor }: FetchOne,
): Promise<KeptFile> {
  const { onProgress: _, ...options } = transferFor(context, maxBytes);
  const expected = kind === "image" ? "image" : "video";
  const keep = async (file: ReceivedFile) => await keepFile(context, file, { pathFor, expected, maxBytes });
  if (isInline(url)) return await keep(await readInline(frame, url, options));
  return await withDownload(throwAway, url, { ...options, as: "file", referrer: frame.url() }, keep);
}

/** What keeps one file away is told of it; what keeps all of them away ends the call. */
function failureOf(error: unknown, signal: AbortSignal): NonNullable<Item["error"]> {
  signal.throwIfAborted();
  if (!(error instanceof BrowseError) || error.kind === "blocked_path" || error.details.isDiskFull) throw error;
  const { kind, message, hint } = error;
  return { kind, message, hint };
}

function nothingToScrape(what: string): BrowseError {
  return new BrowseError("not_found", `There are no ${what === "media" ? "media" : what} on this page`, {
    hint: "Scroll them into view first, or look with `browse media`",
  });
}

function nothingSaved(items: readonly Item[]): BrowseError {
  const [first] = items.flatMap(({ error }) => (error ? [error] : []));
  const others = items.length > 1 ? `; ${items.length - 1} others neither` : "";
  return new BrowseError(
    "navigation_failed",
    `Nothing could be downloaded: ${first?.message ?? "no reason"}${others}`,
    {
      ...(first && { hint: first.hint }),
      details: { failures: items.map(({ url, error }) => ({ url, ...error })) },
    },
  );
}
