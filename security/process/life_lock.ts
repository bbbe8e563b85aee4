/**
 * The lock that one daemon per state folder holds for its whole life: `daemon.lock`, naming its holder by pid and start
 * time, so that a lock whose holder was killed is told from one that is held.
 *
 * A dead lock is taken away by exactly one process. The right to do so is a claim: a file named after that very lock,
 * made exclusively. Should the claimant die too, the right goes on to whoever claims the dead claim, and so on: of such
 * a chain at most the last link is alive. Under its claim a process looks again whether the dead lock is still there,
 * so a fresh one is never removed, however long it slept in between.
 */
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { BrowseError } from "../../errors.ts";
import { errorCode } from "../files/error_code.ts";
import { removeOwnFile } from "../files/own_file.ts";
import { createLock, type FoundLock, readLock, removeLock, replaceLock, stateOf } from "./lock_file.ts";
import { identityOf, isAlive, type ProcessIdentity } from "./process_identity.ts";

const LOCK_NAME = "daemon.lock";
const CLAIM = ".claim-";
/** How long to wait for another process that is just taking a dead lock away; it needs less than a millisecond. */
const PATIENCE_MS = 5000;

/** A held lock, or who holds it. */
type LifeLockResult = { lock: LifeLock } | { held: ProcessIdentity };

export class LifeLock {
  readonly #path: string;
  readonly #owner: ProcessIdentity;
  #nonce: string;

  private constructor(path: string, owner: ProcessIdentity, nonce: string) {
    this.#path = path;
    this.#owner = owner;
    this.#nonce = nonce;
  }

  /**
   * Takes the lock of `stateDir`, which exists, from nobody or from the dead; or another one there, by its name. Throws
   * `blocked_path` when the folder cannot be written.
   */
  static async acquire(stateDir: string, name = LOCK_NAME): Promise<LifeLockResult> {
    const owner = identityOf(process.pid);
    if (owner === undefined) throw new BrowseError("internal", "Cannot find out when this process started");
    try {
      const result = await takeLock(stateDir, name, owner);
      if (typeof result !== "string") return { held: { pid: result.pid, startTime: result.startTime } };
      return { lock: new LifeLock(join(stateDir, name), owner, result) };
    } catch (error) {
      const code = errorCode(error);
      if (!["EACCES", "EPERM", "EROFS", "ENOSPC", "ENOENT", "ENOTDIR"].includes(code)) throw error;
      throw new BrowseError("blocked_path", `Cannot write to the state folder "${stateDir}" (${code})`, {
        hint: "Make it writable, or choose another with BROWSE_STATE_DIR",
        cause: error,
      });
    }
  }

  /**
   * Is the lock still there, and ours? One that is missing, damaged or of the dead is made again. Gives the live process
   * that holds it instead of us.
   */
  look(): "held" | "missing" | "mended" | ProcessIdentity {
    const found = readLock(this.#path);
    if (found?.holder?.nonce === this.#nonce) return "held";
    if (found?.holder && isAlive(found.holder)) return { pid: found.holder.pid, startTime: found.holder.startTime };
    return found === undefined ? "missing" : this.#remake(replaceLock);
  }

  /** Makes a lock that is missing again. Somebody may have been quicker: the next look tells. */
  restore(): void {
    this.#remake(createLock);
  }

  #remake(make: typeof createLock): "mended" {
    this.#nonce = make(this.#path, this.#owner) ?? this.#nonce;
    return "mended";
  }

  /** Gives the lock back, if it still is ours. Synchronous, so that an exit handler can do it. */
  release(): void {
    if (readLock(this.#path)?.holder?.nonce === this.#nonce) rmSync(this.#path, { force: true });
  }
}

/** The nonce of our new lock, or the live process that holds it (or that has been taking it for too long). */
async function takeLock(stateDir: string, name: string, owner: ProcessIdentity): Promise<string | ProcessIdentity> {
  const path = join(stateDir, name);
  const started = performance.now();
  let watched = { key: "", since: started };
  for (;;) {
    const nonce = createLock(path, owner);
    if (nonce !== undefined) {
      removeAllClaims(stateDir, name);
      return nonce;
    }
    const found = readLock(path);
    if (found === undefined) continue;
    if (found.key !== watched.key) watched = { key: found.key, since: performance.now() };
    const state = stateOf(found, performance.now() - watched.since, stateDir);
    if (state === "live" && found.holder !== undefined) return found.holder;
    const busy = state === "dead" ? removeDead(path, found, owner) : undefined;
    if (busy !== undefined && performance.now() - started > PATIENCE_MS) return busy;
    if (busy !== undefined || state === "unsettled") await delay(5 + Math.random() * 15);
  }
}

/** Removes a dead lock, or says which live process is about to. Either way the caller looks at the lock anew. */
function removeDead(path: string, dead: FoundLock, owner: ProcessIdentity): ProcessIdentity | undefined {
  const chain: string[] = [];
  for (let target = dead; ; ) {
    const claim = `${path}${CLAIM}${target.key}`;
    chain.push(claim);
    if (createLock(claim, owner) !== undefined) break;
    const other = readLock(claim);
    if (other === undefined) return undefined;
    if (stateOf(other, 0, dirname(path)) !== "dead") return other.holder ?? owner;
    target = other;
  }
  if (readLock(path)?.key === dead.key) removeLock(path);
  // Only now: while the dead lock is there, its claims must be too.
  for (const claim of chain) rmSync(claim, { force: true });
  return undefined;
}

/** Whoever holds the lock may remove what killed claimants left: claims of locks that are gone do nothing. */
function removeAllClaims(stateDir: string, lockName: string): void {
  for (const name of readdirSync(stateDir)) {
    if (name.startsWith(`${lockName}${CLAIM}`)) removeOwnFile(join(stateDir, name));
  }
}
