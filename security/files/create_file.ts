/** Writing a caller's file whole or not at all, and only where the path policy has looked. */
import { constants, realpathSync, rmSync } from "node:fs";
import { type FileHandle, mkdir, open, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "./error_code.ts";
import { linkExclusively } from "./exclusive_link.ts";
import type { Made } from "./made_files.ts";
import { alreadyThere, blockedPath } from "./path_policy.ts";
import { DISK_FULL, diskFull, temporaryName } from "./private_file.ts";

interface CreateFileOptions {
  /** The caller asked to overwrite whatever file is there. */
  force?: boolean;
  /** Learns of the new file, and tells which ones may be replaced. */
  made: Made;
  /** For this user's eyes alone, with the folders that are made for it. Default: as the umask has it. */
  isPrivate?: boolean;
}

export type FileContent = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/**
 * Writes `content` to `path`, which `resolveWrite` gave, through a temporary name in the same folder; folders are made.
 * On failure nothing is left. Resolves to the bytes written. Throws `blocked_path`, and `too_large` on a full disk.
 */
export async function createFile(path: string, content: FileContent, options: CreateFileOptions): Promise<number> {
  const temporary = join(dirname(path), temporaryName(basename(path)));
  try {
    await makeFolder(path, options);
    const size = await writeTemporary(temporary, content, options);
    // The decision is made as late as possible, and when the name was free, taking it is exclusive.
    if (options.force === true || options.made.has(path)) await rename(temporary, path);
    else if (!linkExclusively(temporary, path)) throw alreadyThere(path, {});
    rmSync(temporary, { force: true });
    options.made.add(path);
    return size;
  } catch (error) {
    rmSync(temporary, { force: true });
    throw translated(error, path);
  }
}

/** Makes the folder and looks whether it still is the place that was checked: a link may have been slipped in. */
async function makeFolder(path: string, { isPrivate = false }: CreateFileOptions): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
  if (realpathSync.native(folder) !== folder) throw blockedPath("write", path, "its folder was replaced by a link");
}

async function writeTemporary(
  path: string,
  content: FileContent,
  { isPrivate = false }: CreateFileOptions,
): Promise<number> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const file = await open(path, flags, isPrivate ? 0o600 : 0o666);
  try {
    return await writeAll(file, content);
  } finally {
    await file.close();
  }
}

async function writeAll(file: FileHandle, content: FileContent): Promise<number> {
  const chunks = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
  let size = 0;
  for await (const chunk of chunks) {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk, "utf8") : chunk;
    await file.writeFile(bytes);
    size += bytes.byteLength;
  }
  return size;
}

function translated(error: unknown, path: string): unknown {
  const code = errorCode(error);
  if (DISK_FULL.has(code)) return diskFull(`Cannot write "${path}"`, error);
  const reason = REASONS[code];
  return reason === undefined ? error : blockedPath("write", path, reason, error);
}

const REASONS: Record<string, string> = {
  EACCES: "the system does not allow writing there",
  EPERM: "the system does not allow writing there",
  EROFS: "the disk is read-only",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of it is a file, not a folder",
  EEXIST: "a part of it is a file, not a folder",
  ENAMETOOLONG: "its name is too long",
  ELOOP: "it was replaced by a link",
};
