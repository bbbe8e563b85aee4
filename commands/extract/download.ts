import type { Frame } from "playwright";
import * as v from "valibot";
import { withDownload } from "../../browser/download/fetch_file.ts";
import type { KindGroup } from "../../browser/download/file_kind.ts";
import { isInline, readInline } from "../../browser/download/inline_file.ts";
import { type ReceivedFile, streamRefusal, type TransferOptions } from "../../browser/download/received_file.ts";
import { BrowseError } from "../../errors.ts";
import { sourceOf } from "../../refs/read/media.ts";
import { artifactNamed } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import type { TabContext } from "../context.ts";
import { Address, FileName, Target, writesFile } from "../params.ts";
import { bytesAllowed, FETCH_TIMEOUT_MS, fetchParams, transferFor } from "./_fetching.ts";
import { type KeptFile, keepFile } from "./_keep_file.ts";

const Params = v.strictObject({
  url: v.exactOptional(Address),
  target: v.exactOptional(
    v.pipe(Target, v.description("Element that shows the file or links to it: an image, a video, a link")),
  ),
  path: v.exactOptional(v.pipe(FileName, v.description("Where to write it"), writesFile({ isAnswer: true }))),
  navigate: v.exactOptional(
    v.pipe(v.boolean(), v.description("Open the address as a page, and take the download that it starts")),
  ),
  ...fetchParams,
});

type DownloadParams = v.InferOutput<typeof Params>;

interface Source {
  url: string;
  /** Of the page, or the frame in it, that the address is from; the tab's own for one that was typed. */
  frame: Frame;
  referrer?: string;
  expected?: KindGroup;
}

export default defineCommand({
  name: "download",
  category: "extract",
  summary: "Download a file with the browser's cookies: from an address, or what an element shows or links to",
  description:
    "Without a path the file goes to .browse/artifacts, under a name that ends in its own; after --target the path is " +
    "given with --path. Refused if the server sends something " +
    "other than expected, such as a login page instead of an image. HLS and DASH streams are not files and are refused.",
  scope: "write",
  effect: "disk",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  locksTab: false,
  timeoutMs: FETCH_TIMEOUT_MS,
  params: Params,
  cli: { positional: ["url", "path"], place: placeWords },
  result: v.strictObject({
    path: v.string(),
    bytes: v.number(),
    type: v.pipe(v.string(), v.description("MIME type, by the file's own bytes where they tell")),
    url: v.pipe(v.string(), v.description("Where it came from in the end")),
    redirects: v.pipe(v.array(v.string()), v.description("Addresses passed through, the requested one first")),
  }),
  examples: [
    "browse download http://shop.example/api/stock stock.json",
    "browse download @e2 about.html",
    "browse download --target 'img[alt=Lamp]'",
  ],
  async run(context, params) {
    const source = await sourceFor(context, params);
    const maxBytes = bytesAllowed(params);
    const options = toldOf(context, transferFor(context, maxBytes));
    const keep = async (file: ReceivedFile) => {
      const pathFor = (name: string) => artifactNamed(context, name);
      const kept = await keepFile(context, file, { pathFor, path: params.path, expected: source.expected, maxBytes });
      return { ...kept, url: shortened(file.url), redirects: file.redirects };
    };
    if (isInline(source.url)) return await keep(await readInline(source.frame, source.url, options));
    const { url, referrer } = source;
    const as = params.navigate ? "page" : "file";
    return await context.session.inThrowAwayTab(
      context,
      async (tab) => await withDownload(tab, url, { ...options, as, ...(referrer && { referrer }) }, keep),
    );
  },
  render: ({ path, bytes, type }: KeptFile) => `Wrote ${path} (${type}, ${bytes} bytes)`,
});

/** Should the time be over, the error says how far it has come. */
function toldOf({ waitsFor }: TabContext, options: TransferOptions): TransferOptions {
  let come = 0;
  const now = () => (come === 0 ? "nothing of it has come" : `${come} bytes of it have come`);
  waitsFor(() => ({ what: "the file", now: now(), hint: "Give more time with `--timeout <ms>`" }));
  const onProgress = (done: number, total?: number) => {
    come = done;
    options.onProgress?.(done, total);
  };
  return { ...options, onProgress };
}

/** What no address begins like: a ref, and the forms of selectors. */
const ELEMENT = /^(?:@|(?:css|role|text|label|placeholder|testid)=)/;

/** A ref is not an address; the other word is the path. */
function placeWords(words: readonly string[]): Record<string, string> | undefined {
  const [source, path, ...others] = words;
  if (source === undefined || others.length > 0 || !ELEMENT.test(source)) return undefined;
  return { target: source, ...(path !== undefined && { path }) };
}

async function sourceFor({ tab, frame, signal }: TabContext, { url, target }: DownloadParams): Promise<Source> {
  if ((url === undefined) === (target === undefined)) {
    throw new BrowseError(
      "invalid_params",
      `"download" takes an address or an element, ${url ? "not both" : "and has neither"}`,
      {
        hint: "Usage: browse download <url|@ref|selector> [path]; a CSS selector goes after --target, and the path after --path then",
      },
    );
  }
  if (target === undefined) return { url: url ?? "", frame };
  const source = await sourceOf(tab, target, { signal });
  if (source.stream === "hls" || source.stream === "dash")
    throw streamRefusal(source.stream === "hls" ? "HLS" : "DASH");
  const expected = source.kind && (source.kind === "image" ? "image" : "video");
  return { url: source.url, frame: source.frame, referrer: source.frame.url(), ...(expected && { expected }) };
}

/** A data address is the file itself. */
function shortened(url: string): string {
  return url.startsWith("data:") && url.length > 100 ? `${url.slice(0, 100)}…` : url;
}
