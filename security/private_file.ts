/** Files and folders that only this user may read: state, tokens, records. */
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, type Stats, statSync } from "node:fs";
import { chmod, mkdir, open, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../rpc/errors.ts";
import { errorCode } from "./error_code.ts";

/**
 * Makes `dir` with mode 0700, or makes it private if it is there, with its own `.gitignore` so that no state is ever
 * committed. Throws `blocked_path` when it is not ours or cannot be written.
 */
export async function ensurePrivateDir(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await makePrivate(dir, statSync(dir));
    await writeFile(join(dir, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    const code = errorCode(error);
    if (code === "EEXIST" && statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
    if (error instanceof BrowseError) throw error;
    throw unusable(dir, REASONS[code] ?? `the system refuses (${code})`, error);
  }
}

async function makePrivate(dir: string, stats: Stats): Promise<void> {
  if (process.getuid !== undefined && stats.uid !== process.getuid()) throw unusable(dir, "it belongs to another user");
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) await chmod(dir, 0o700);
}

const REASONS: Record<string, string> = {
  EEXIST: "there is a file of that name",
  ENOTDIR: "a part of the path is a file",
  EACCES: "the system does not allow writing there",
  EPERM: "the system does not allow writing there",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
};

function unusable(dir: string, reason: string, cause?: unknown): BrowseError {
  return new BrowseError("blocked_path", `Cannot use the folder "${dir}": ${reason}`, {
    hint: "Choose another state folder with BROWSE_STATE_DIR",
    cause,
  });
}

/**
 * Replaces the file at once, with mode 0600: a reader sees the old text or the new, also after a power cut. The
 * temporary name is this call's own, so two writers never share one.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), temporaryName(basename(path)));
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(text, "utf8");
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** A hidden name next to `name` that no other process or call uses. */
export function temporaryName(name: string): string {
  // A long name with our additions would go over the 255 bytes a name may have.
  return `.${name.slice(0, 60)}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`;
}

/** What a JSON file holds, or why it can't be used. */
export type JsonFile<T> = { value: T } | { corrupt: string };

/** Reads and validates a JSON file of ours; undefined when there is none. Other system errors are thrown. */
export function readJsonFile<S extends v.GenericSchema>(
  path: string,
  schema: S,
): JsonFile<v.InferOutput<S>> | undefined {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { corrupt: text.trim() === "" ? "it is empty" : "it is not valid JSON" };
  }
  const result = v.safeParse(schema, parsed);
  return result.success ? { value: result.output } : { corrupt: v.summarize(result.issues) };
}
