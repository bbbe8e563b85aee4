/** Keeping a file that the browser has fetched: looked at, named, and written as it comes. */
import {
  assertFitsName,
  assertIsFile,
  type FileKind,
  fitsName,
  HEAD_BYTES,
  type KindGroup,
  kindOf,
} from "../../browser/download/file_kind.ts";
import { safeFileName } from "../../browser/download/file_name.ts";
import { type ReceivedFile, tooLarge } from "../../browser/download/received_file.ts";
import type { BaseContext } from "../context.ts";

export interface KeepOptions {
  /** Gives the path for a file name of ours: plain, with an ending that fits. */
  pathFor: (name: string) => string;
  /** The path that the caller gave; its ending has to fit what came. */
  path?: string | undefined;
  /** What has to come. */
  expected?: KindGroup | undefined;
  maxBytes: number;
}

export interface KeptFile {
  path: string;
  bytes: number;
  type: string;
}

/** Throws `blocked_path` and `navigation_failed` for another kind of file than was to be, and what `save` throws. */
export async function keepFile(
  { save, holder }: BaseContext,
  file: ReceivedFile,
  { pathFor, path, expected, maxBytes }: KeepOptions,
): Promise<KeptFile> {
  const content = file.content[Symbol.asyncIterator]();
  try {
    const head = await readHead(content);
    const kind = await kindOf(head, file.type);
    await assertIsFile(file.url, kind, expected);
    if (path !== undefined) await assertFitsName(path, kind, { mustPromise: holder.kind !== "root" });
    const target = path ?? pathFor(await nameOf(file.name, kind));
    const bytes = await save(target, limited(head, content, maxBytes));
    return { path: target, bytes, type: kind.type };
  } finally {
    await content.return?.(undefined);
  }
}

async function readHead(content: AsyncIterator<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const { done, value } = await content.next();
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
  }
  return Buffer.concat(chunks);
}

/** The suggested name, with the ending of what it really is where it says nothing, or something else. */
async function nameOf(suggested: string, kind: FileKind): Promise<string> {
  const name = safeFileName(suggested);
  return (await fitsName(name, kind)) ? name : `${name}${kind.extension}`;
}

async function* limited(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  let size = head.byteLength;
  if (size > maxBytes) throw tooLarge(maxBytes);
  yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    size += next.value.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    yield next.value;
  }
}
