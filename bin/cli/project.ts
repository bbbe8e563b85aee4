/** Where a project's daemon keeps its state, and what `daemon.json` there says. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { folderProblem, readOwnFile } from "../../security/files/own_file.ts";
import { inspectOnLinux, isRunning, type ProcessIdentity } from "../../security/process/process_identity.ts";
import { Failure } from "./failure.ts";
import type { Address } from "./socket.ts";

/** A running daemon, as its state file describes it. */
export interface Running extends ProcessIdentity {
  address: Address;
  /** 0 for a daemon given by `BROWSE_URL`. */
  pid: number;
  /** Differs between any two daemons, reused pids included, and when another address is written down for one. */
  identity: string;
  version: string;
}

/** Ends a daemon that hangs too, after it has made sure which process that is. */
export const STOP = "`browse stop`";

/** What would break the header that carries a token. */
export const UNPRINTABLE = /[^!-~]/;

export interface Project {
  root: string;
  stateDir: string;
}

/**
 * The project of `cwd`: the nearest folder upward with a `.git` in it, else the nearest that has a daemon's folder, else
 * `cwd` itself.
 */
export function projectOf(cwd: string, env: NodeJS.ProcessEnv): Project {
  // As the daemon reads it: see security/process/environment.ts.
  const stateDir = env.BROWSE_STATE_DIR?.trim().replace(/^~(?=[\\/]|$)/, homeFolder);
  // What all projects share is none of a project's.
  const isShared = (path: string) => path === (env.BROWSE_HOME ?? join(homeFolder(), ".browse"));
  const isState = (path: string) => existsSync(path) && !folderProblem(path) && !isShared(path);
  const root =
    nearest(cwd, (folder) => existsSync(join(folder, ".git"))) ||
    // This user's own: anybody may put a folder into /tmp.
    nearest(cwd, (folder) => isState(join(folder, ".browse"))) ||
    cwd;
  return { root, stateDir: resolve(cwd, stateDir || join(root, ".browse")) };
}

function nearest(folder: string, isIt: (folder: string) => boolean): string {
  const parent = dirname(folder);
  return isIt(folder) ? folder : parent === folder ? "" : nearest(parent, isIt);
}

/** Not by an import, since few commands need it. */
function homeFolder(): string {
  return process.getBuiltinModule("node:os").homedir();
}

/**
 * The daemon that `daemon.json` names; undefined when it is absent, malformed, not this user's own, or when its process
 * is gone.
 */
export function readRunning(stateDir: string): Running | undefined {
  try {
    if (folderProblem(stateDir)) return undefined;
    const state: unknown = JSON.parse(readOwnFile(join(stateDir, "daemon.json"), { isSecret: true }) ?? "");
    const { pid, startTime, port, token, version } = state as Record<string, unknown>;
    if (typeof pid !== "number" || typeof startTime !== "string") return undefined;
    if (typeof port !== "number" || typeof token !== "string") return undefined;
    if (UNPRINTABLE.test(token) || !isThere({ pid, startTime })) return undefined;
    return {
      address: { host: "127.0.0.1", port, token },
      pid,
      startTime,
      identity: `${pid}@${startTime} ${port} ${token}`,
      version: `${version}`,
    };
  } catch {
    // Absent, unreadable or cut short all mean the same here: start one, and it will say what is wrong.
    return undefined;
  }
}

/** Asking for the start time takes a process of its own elsewhere than on Linux, too long for each command. */
function isThere(identity: ProcessIdentity): boolean {
  return process.platform === "linux"
    ? isRunning(inspectOnLinux(identity.pid), identity)
    : process.kill(identity.pid, 0);
}

/** A daemon whose process exists and whose port is closed. */
export function unreachable(pid: number): Failure {
  return new Failure(
    `The daemon (process ${pid}) is there but takes no connections`,
    `End it with ${STOP} and run the command again`,
  );
}
