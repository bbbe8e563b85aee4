/** Where a project's daemon keeps its state, and what `daemon.json` there says. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Failure } from "./failure.ts";
import type { Address } from "./socket.ts";

/** A running daemon, as its state file describes it. */
export interface Running {
  address: Address;
  /** 0 for a daemon given by `BROWSE_URL`. */
  pid: number;
  /** Differs between any two daemons, reused pids included. */
  identity: string;
  version: string;
}

/** What would break the header that carries a token. */
const UNPRINTABLE = /[^!-~]/;

export interface Project {
  root: string;
  stateDir: string;
}

/** The project of `cwd`: the nearest folder upward with a `.git` in it, else `cwd` itself. */
export function projectOf(cwd: string, env: NodeJS.ProcessEnv): Project {
  let root = cwd;
  while (!existsSync(join(root, ".git"))) {
    const parent = dirname(root);
    if (parent === root) {
      root = cwd;
      break;
    }
    root = parent;
  }
  // As the daemon reads it: see security/environment.ts.
  const stateDir = env.BROWSE_STATE_DIR?.trim().replace(/^~(?=[\\/]|$)/, homeFolder);
  return { root, stateDir: stateDir ? resolve(cwd, stateDir) : join(root, ".browse") };
}

/** Not by an import, since few commands need it. */
function homeFolder(): string {
  return process.getBuiltinModule("node:os").homedir();
}

/** The daemon that `daemon.json` names; undefined when it is absent, malformed, or its process is gone. */
export function readRunning(stateDir: string): Running | undefined {
  try {
    const state: unknown = JSON.parse(readFileSync(join(stateDir, "daemon.json"), "utf8"));
    const { pid, port, token, startedAt, version } = state as Record<string, unknown>;
    if (typeof pid !== "number" || typeof port !== "number" || typeof token !== "string") return undefined;
    if (UNPRINTABLE.test(token) || !isAlive(pid)) return undefined;
    return {
      address: { host: "127.0.0.1", port, token },
      pid,
      identity: `${pid}@${startedAt}`,
      version: `${version}`,
    };
  } catch {
    // Absent, unreadable or cut short all mean the same here: start one, and it will say what is wrong.
    return undefined;
  }
}

/** The daemon named by `BROWSE_URL` and `BROWSE_TOKEN`; undefined when the project's own is meant. */
export function givenDaemon(env: NodeJS.ProcessEnv): Running | undefined {
  const { BROWSE_URL, BROWSE_TOKEN } = env;
  if (!BROWSE_URL) return undefined;
  if (!BROWSE_TOKEN || UNPRINTABLE.test(BROWSE_TOKEN)) {
    throw new Failure(
      "BROWSE_URL is set but BROWSE_TOKEN holds no token",
      "Set it to that daemon's token",
      "invalid_params",
    );
  }
  const url = URL.parse(BROWSE_URL);
  if (!url || !/^(ws|http):$/.test(url.protocol)) {
    throw new Failure(`Cannot use BROWSE_URL "${BROWSE_URL}"`, "Give it as ws://127.0.0.1:PORT/rpc", "invalid_params");
  }
  const address = { host: url.hostname, port: Number(url.port || 80), token: BROWSE_TOKEN };
  return { address, pid: 0, identity: "", version: "" };
}

/** True while a process of that id exists, be it ours or another user's. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** A daemon whose process exists and whose port is closed. */
export function unreachable(pid: number): Failure {
  return new Failure(
    `The daemon (process ${pid}) is there but takes no connections`,
    `End it with \`kill ${pid}\` and run the command again`,
  );
}
