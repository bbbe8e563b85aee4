/** A file that names the live process which holds something, made all at once and only if it is not there. */
import { createHash, randomUUID } from "node:crypto";
import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { errorCode } from "../files/error_code.ts";
import { linkExclusively } from "../files/exclusive_link.ts";
import { NotOurs, readOwnFile } from "../files/own_file.ts";
import { asideName, temporaryName } from "../files/private_file.ts";
import { isAlive, type ProcessIdentity } from "./process_identity.ts";
import { ProcessIdentitySchema } from "./process_schema.ts";

const LockSchema = v.object({ ...ProcessIdentitySchema.entries, nonce: v.string() });

/** What was found under a lock's name. */
export interface FoundLock {
  /** Names this very lock, never another one made later under the same path. */
  key: string;
  /** Undefined when it is no lock of ours: the disk lost its content, or somebody else put it there. */
  holder: (ProcessIdentity & { nonce: string }) | undefined;
  /** Milliseconds since it was written, by the wall clock. */
  ageMs: number;
}

/** Makes the lock for `owner`; its nonce, or undefined when the name is taken. All other errors are thrown. */
export function createLock(path: string, owner: ProcessIdentity): string | undefined {
  return prepared(path, owner, (temporary) => linkExclusively(temporary, path));
}

/** Puts the lock of `owner` in the place of whatever has its name. For whoever holds it already. */
export function replaceLock(path: string, owner: ProcessIdentity): string | undefined {
  return prepared(path, owner, (temporary) => {
    moveAside(path);
    renameSync(temporary, path);
    return true;
  });
}

/** Removes a lock that nobody holds. A link is not followed; a folder, which no lock of ours is, is moved aside. */
export function removeLock(path: string): void {
  if (!moveAside(path)) rmSync(path, { force: true });
}

function prepared(path: string, owner: ProcessIdentity, place: (temporary: string) => boolean): string | undefined {
  const nonce = randomUUID();
  const temporary = join(dirname(path), temporaryName(basename(path)));
  try {
    writeFileSync(temporary, JSON.stringify({ ...owner, nonce }), { flag: "wx", mode: 0o600 });
    return place(temporary) ? nonce : undefined;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function moveAside(path: string): boolean {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
  renameSync(path, asideName(path));
  return true;
}

/** The lock under that name; undefined when there is none. */
export function readLock(path: string): FoundLock | undefined {
  try {
    // Stat and read may see two different files: then the key is no lock's, and whoever acts on it finds out.
    const stats = lstatSync(path, { bigint: true });
    const text = textOf(path);
    const key = createHash("sha256").update(`${stats.ino} ${stats.mtimeNs} ${text}`).digest("hex").slice(0, 32);
    return { key, holder: parsed(text), ageMs: Date.now() - Number(stats.mtimeMs) };
  } catch (error) {
    // A state folder that is a file, or a link to itself, holds no lock either.
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error))) return undefined;
    throw error;
  }
}

/** Empty for what is not ours: it names nobody. */
function textOf(path: string): string {
  try {
    return readOwnFile(path, { isSecret: true }) ?? "";
  } catch (error) {
    if (error instanceof NotOurs || ["EACCES", "EPERM"].includes(errorCode(error))) return "";
    throw error;
  }
}

function parsed(text: string): FoundLock["holder"] {
  try {
    const result = v.safeParse(LockSchema, JSON.parse(text));
    return result.success ? result.output : undefined;
  } catch {
    // Not JSON: a lock that names nobody.
    return undefined;
  }
}

/** Where hard links are missing, a lock without a readable holder may still be in the making. */
const SETTLED_AFTER_MS = 2000;

/** `dead` locks have no process behind them any more, and never will again. */
export function stateOf(lock: FoundLock, watchedMs: number, dir: string): "live" | "unsettled" | "dead" {
  if (lock.holder !== undefined) return isAlive(lock.holder) ? "live" : "dead";
  // The watched time decides when the wall clock was set back.
  if (Math.max(lock.ageMs, watchedMs) > SETTLED_AFTER_MS) return "dead";
  return locksAreMadeWhole(dir) ? "dead" : "unsettled";
}

/** Do locks of this folder appear with their content, as hard links do? */
function locksAreMadeWhole(dir: string): boolean {
  const [from, to] = [join(dir, temporaryName("link")), join(dir, temporaryName("link"))];
  try {
    writeFileSync(from, "", { flag: "wx", mode: 0o600 });
    linkSync(from, to);
    return true;
  } catch {
    // No hard links, or nothing can be written: the careful way is right for both.
    return false;
  } finally {
    for (const path of [from, to]) rmSync(path, { force: true });
  }
}
