/** Files that are in the page itself: in a data address, or in its memory under a blob address. */
import type { Frame, JSHandle } from "playwright";
import { abortable } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { type ReceivedFile, type TransferOptions, tooLarge } from "./received_file.ts";

type Options = Pick<TransferOptions, "maxBytes" | "onProgress" | "signal">;

/** Bytes asked of the page at once: base64 of them has to fit into a message. */
const SLICE_BYTES = 1_000_000;

/** Is the file in the page, rather than at an address? */
export function isInline(url: string): boolean {
  return /^(data|blob):/i.test(url);
}

/** Throws `navigation_failed` for a malformed address, `unsupported` for what a script only pieces together. */
export async function readInline(frame: Frame, url: string, options: Options): Promise<ReceivedFile> {
  return /^data:/i.test(url) ? await readData(url, options) : await readBlob(frame, url, options);
}

async function readData(url: string, { maxBytes }: Options): Promise<ReceivedFile> {
  // Fetch knows the scheme, and asks nobody.
  const response = await fetch(url).catch((cause: unknown) => {
    throw new BrowseError("navigation_failed", "The data address is malformed", { cause });
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes, bytes.byteLength);
  const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return { url, redirects: [], type, name: "data", content: single(bytes) };
}

async function* single(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function readBlob(frame: Frame, url: string, options: Options): Promise<ReceivedFile> {
  const handle = await abortable(openBlob(frame, url), options.signal);
  const { size, type } = await handle.evaluate((blob) => ({ size: blob.size, type: blob.type }));
  if (size > options.maxBytes) throw tooLarge(options.maxBytes, size);
  const essence = type.split(";")[0]?.trim().toLowerCase() ?? "";
  return { url, redirects: [], type: essence, name: "blob", content: slices(handle, size, options) };
}

async function openBlob(frame: Frame, url: string): Promise<JSHandle<Blob>> {
  try {
    return await frame.evaluateHandle(async (address) => await (await fetch(address)).blob(), url);
  } catch (cause) {
    throw new BrowseError(
      "unsupported",
      "This is not a file: the page pieces it together from a stream, or does not give it away",
      {
        hint: "Record the tab with `browse record`",
        cause,
      },
    );
  }
}

async function* slices(
  handle: JSHandle<Blob>,
  size: number,
  { onProgress, signal }: Options,
): AsyncGenerator<Uint8Array> {
  try {
    for (let from = 0; from < size; from += SLICE_BYTES) {
      const base64 = await abortable(handle.evaluate(sliceAsBase64, [from, from + SLICE_BYTES] as const), signal);
      yield Buffer.from(base64, "base64");
      onProgress?.(Math.min(size, from + SLICE_BYTES), size);
    }
  } finally {
    await handle.dispose();
  }
}

/** In the page. */
async function sliceAsBase64(blob: Blob, [from, to]: readonly [number, number]): Promise<string> {
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(blob.slice(from, to));
  await read;
  return String(reader.result).replace(/^[^,]*,/, "");
}
