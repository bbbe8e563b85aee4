/** Files and folders that only this user may read: state, tokens, records. */
import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { errorCode } from "./error_code.ts";
import { NotOurs, type ReadOwnOptions, readOwnFile } from "./own_file.ts";

/**
 * Makes `dir` with mode 0700, or makes it private if it is there, with its own `.gitignore` so that no state is ever
 * committed. Throws `blocked_path` when it is a link, not ours, or cannot be written.
 */
export function ensurePrivateDir(dir: string): void {
  try {
    makePrivateDir(dir);
    ignoreAll(join(dir, ".gitignore"));
  } catch (error) {
    const code = errorCode(error);
    if (error instanceof BrowseError) throw error;
    if (DISK_FULL.has(code)) throw diskFull(`Cannot use the folder "${dir}"`, error);
    throw unusable(dir, REASONS[code] ?? `the system refuses (${code})`, error);
  }
}

function ignoreAll(path: string): void {
  // Git does not follow it either, and would take all that is here.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
  try {
    writeFileSync(path, "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/** Makes `dir` with mode 0700, or makes it private if it is there. Throws `blocked_path` when it is a link or not ours. */
function makePrivateDir(dir: string): void {
  mkdirSync(dirname(dir), { recursive: true, mode: 0o700 });
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  const stats = lstatSync(dir);
  if (stats.isSymbolicLink())
    throw unusable(
      dir,
      "it is a link",
      undefined,
      "Remove the link, or set BROWSE_STATE_DIR to the folder that is meant",
    );
  if (!stats.isDirectory()) throw unusable(dir, "there is a file of that name");
  if (process.getuid !== undefined && stats.uid !== process.getuid()) throw unusable(dir, "it belongs to another user");
  if (process.platform !== "win32" && (stats.mode & 0o777) !== 0o700) chmodSync(dir, 0o700);
}

/** The same in a folder of ours, where a link or another user's folder gives way: whatever it leads to is left alone. */
export function ownFolderIn(parent: string, name: string): string {
  const dir = join(parent, name);
  const stats = lstatSync(dir, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) rmSync(dir, { force: true });
  makePrivateDir(dir);
  return dir;
}

const REASONS: Record<string, string> = {
  EEXIST: "there is a file of that name",
  ENOTDIR: "a part of the path is a file",
  EACCES: "the system does not allow writing there",
  EPERM: "the system does not allow writing there",
  EROFS: "the disk is read-only",
};

/** No room, or none for this user. */
export const DISK_FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Bytes; what is left of a full disk cannot be used to the last block. */
export const FULL_BELOW = 65_536;

/** Is there no room where `folder` is? Programs that write there for us seldom say so. */
export function isDiskFull(folder: string): boolean {
  return freeBytes(folder) < FULL_BELOW;
}

/** For this user, on the disk that `folder` is on. Where it cannot be told, another reason stands: there is no end to it. */
export function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Another path would not have helped: it was to be written below the state folder. */
export const FREE_STATE_DISK = "Free some space on the disk that .browse is on";

/** `what` could not be done: there is no room on the disk. */
export function diskFull(
  what: string,
  cause: unknown,
  hint = "Free some space, or write to another disk",
): BrowseError {
  return new BrowseError("too_large", `${what}: the disk is full`, { hint, details: { isDiskFull: true }, cause });
}

function unusable(dir: string, reason: string, cause?: unknown, hint?: string): BrowseError {
  return new BrowseError("blocked_path", `Cannot use the folder "${dir}": ${reason}`, {
    hint: hint ?? "Choose another state folder with BROWSE_STATE_DIR",
    cause,
  });
}

/**
 * Replaces the file at once, with mode 0600: a reader sees the old text or the new, also after a power cut. The
 * temporary name is this call's own, so two writers never share one. A link under that name is replaced and not
 * followed; a folder is moved aside. `room` is where that name is, on the same disk: beside the file unless said.
 */
export async function writePrivateFile(path: string, text: string, room = dirname(path)): Promise<void> {
  const temporary = join(room, temporaryName(basename(path)));
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text, "utf8");
      await file.sync();
    } finally {
      await file.close();
    }
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) await rename(path, asideName(path));
    await rename(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Where something that is in the way goes: it may be somebody's. */
export function asideName(path: string): string {
  return `${path}.aside-${randomBytes(4).toString("hex")}`;
}

/** A hidden name next to `name` that no other process or call uses. */
export function temporaryName(name: string): string {
  // A long name with our additions would go over the 255 bytes a name may have.
  return `.${name.slice(0, 60)}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
}

const TEMPORARY = /^\..+\.\d+\.[0-9a-f]{12}\.tmp$/;
/** No write takes as long. Whose it is does not tell: another container may use the same folder. */
const ABANDONED_MS = 600_000;

/** Removes what processes that were killed while they wrote have left in a folder of ours: it holds what was to be written. */
export function removeAbandoned(dir: string): void {
  for (const name of readdirSync(dir).filter((each) => TEMPORARY.test(each))) {
    const path = join(dir, name);
    const { mtimeMs = Date.now() } = lstatSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > ABANDONED_MS) rmSync(path, { force: true, recursive: true });
  }
}

/** What a JSON file holds, or why it can't be used. */
export type JsonFile<T> = { value: T } | { corrupt: string; isForeign?: true };

/** Reads and validates a JSON file of ours; undefined when there is none. System errors are thrown. */
export function readJsonFile<S extends v.GenericSchema>(
  path: string,
  schema: S,
  options: ReadOwnOptions = { isSecret: true },
): JsonFile<v.InferOutput<S>> | undefined {
  let text: string | undefined;
  try {
    text = readOwnFile(path, options);
  } catch (error) {
    if (error instanceof NotOurs) return { corrupt: error.reason, isForeign: true };
    throw error;
  }
  if (text === undefined) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { corrupt: text.trim() === "" ? "it is empty" : "it is not valid JSON" };
  }
  const result = v.safeParse(schema, parsed);
  return result.success ? { value: result.output } : { corrupt: v.summarize(result.issues) };
}
