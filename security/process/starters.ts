/** Who is about to have a daemon: a process that starts one says so, until it is there. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createLock, readLock, removeLock } from "./lock_file.ts";
import { identityOf, isAlive, type ProcessIdentity } from "./process_identity.ts";

const PREFIX = "starter.";

/** For a starter to send what it has started the daemon for: who stops that daemon lets it be answered. */
const SENT_MS = 300;

interface Announced {
  readonly path: string;
  /** The daemon is there, or none will be. */
  end(): void;
}

/** From now on this process is known to start a daemon. */
export function announceStart(stateDir: string): Announced {
  const path = announce(stateDir, process.pid);
  const remove = () => withdraw(path);
  process.once("exit", remove);
  return { path, end: () => void setTimeout(remove, SENT_MS).unref() };
}

/** From now on `daemon`, which this process has started, is known to be about to be there, until it says that it is. */
export function announceDaemon(stateDir: string, daemon: number): void {
  announce(stateDir, daemon);
}

/** This process, which was announced as a daemon, is there, or is not needed. */
export function endAnnounced(stateDir: string): void {
  withdraw(pathOf(stateDir, process.pid));
}

function announce(stateDir: string, pid: number): string {
  const path = pathOf(stateDir, pid);
  const identity = identityOf(pid);
  try {
    // An earlier process of that id may have been killed while it started one.
    removeLock(path);
    if (identity) createLock(path, identity);
  } catch {
    // On a full disk nobody learns of it; the daemon that is started says what is wrong with the folder.
  }
  return path;
}

function withdraw(path: string): void {
  try {
    removeLock(path);
  } catch {
    // Where something else has the folder's place, nobody looks for it either.
  }
}

function pathOf(stateDir: string, pid: number): string {
  return join(stateDir, `${PREFIX}${pid}`);
}

/** Does somebody start a daemon now, other than `own`? What those who were killed have left is removed. */
export function isStarting(stateDir: string, own?: Announced): boolean {
  const paths = namesIn(stateDir).map((name) => join(stateDir, name));
  const others = paths.filter((path) => path !== own?.path);
  for (const path of others) if (!isHeld(path)) removeLock(path);
  return others.some(isHeld);
}

/** The live process that holds the lock. */
export function lockHolder(stateDir: string): ProcessIdentity | undefined {
  const holder = readLock(join(stateDir, "daemon.lock"))?.holder;
  return holder && isAlive(holder) ? holder : undefined;
}

function isHeld(path: string): boolean {
  const holder = readLock(path)?.holder;
  return holder !== undefined && isAlive(holder);
}

function namesIn(stateDir: string): string[] {
  try {
    return readdirSync(stateDir).filter((name) => name.startsWith(PREFIX));
  } catch {
    // No folder: nobody starts anything there.
    return [];
  }
}
