/** A file that names the live process which holds something, made all at once and only if it is not there. */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { errorCode } from "./error_code.ts";
import { linkExclusively } from "./exclusive_link.ts";
import { temporaryName } from "./private_file.ts";
import { isAlive, type ProcessIdentity, ProcessIdentitySchema } from "./process_identity.ts";

const LockSchema = v.object({ ...ProcessIdentitySchema.entries, nonce: v.string() });

/** What was found under a lock's name. */
export interface FoundLock {
  /** Names this very lock, never another one made later under the same path. */
  key: string;
  /** Undefined when the content is no lock: the disk lost it, or somebody else wrote it. */
  holder: (ProcessIdentity & { nonce: string }) | undefined;
  /** Milliseconds since it was written, by the wall clock. */
  ageMs: number;
}

/** Makes the lock for `owner`; its nonce, or undefined when the name is taken. All other errors are thrown. */
export function createLock(path: string, owner: ProcessIdentity): string | undefined {
  const nonce = randomUUID();
  const temporary = join(dirname(path), temporaryName(basename(path)));
  try {
    writeFileSync(temporary, JSON.stringify({ ...owner, nonce }), { flag: "wx", mode: 0o600 });
    return linkExclusively(temporary, path) ? nonce : undefined;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The lock under that name; undefined when there is none. */
export function readLock(path: string): FoundLock | undefined {
  try {
    // Stat and read may see two different files: then the key is no lock's, and whoever acts on it finds out.
    const stats = statSync(path, { bigint: true });
    const text = readFileSync(path, "utf8");
    const key = createHash("sha256").update(`${stats.ino} ${stats.mtimeNs} ${text}`).digest("hex").slice(0, 32);
    return { key, holder: parsed(text), ageMs: Date.now() - Number(stats.mtimeMs) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
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

/** A lock without a readable holder may still be in the making where hard links are missing. */
const SETTLED_AFTER_MS = 2000;

/** `dead` locks have no process behind them any more, and never will again. */
export function stateOf(lock: FoundLock, watchedMs: number): "live" | "unsettled" | "dead" {
  if (lock.holder !== undefined) return isAlive(lock.holder) ? "live" : "dead";
  // The watched time decides when the wall clock was set back.
  return Math.max(lock.ageMs, watchedMs) > SETTLED_AFTER_MS ? "dead" : "unsettled";
}
