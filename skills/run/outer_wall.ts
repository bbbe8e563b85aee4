/**
 * The outer wall, on Linux where `bwrap` is installed and may make namespaces: no network, no processes but its own, and of the disk
 * only Node, its libraries and the skill's folder. It holds whatever a script finds in Node.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import type { Started } from "./sandbox.ts";

/** Not by PATH, where a project may have put its own. */
const PLACES = ["/usr/bin/bwrap", "/usr/local/bin/bwrap", "/bin/bwrap"];
/** Where the libraries of Node are. */
const LIBRARIES = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/etc/localtime", "/nix/store"];
const PROBE_MS = 3_000;

export interface OuterWall {
  /** The path of `bwrap`; absent where it cannot be had. */
  path?: string;
  /** Why there is none. */
  reason?: string;
}

let probed: Promise<OuterWall> | undefined;

/** Looks once in a daemon's life. Never rejects. */
export function outerWall(): Promise<OuterWall> {
  probed ??= probe();
  return probed;
}

/** The same process behind the wall. */
export function walled(path: string, { command, args, env, cwd }: Started): Started {
  return { command: path, args: [...wallAround(command, cwd), "--", command, ...args], env, cwd };
}

function wallAround(node: string, dir: string): string[] {
  return [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    ...LIBRARIES.flatMap((place) => ["--ro-bind-try", place, place]),
    ...["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"],
    ...["--ro-bind", node, node, "--ro-bind", dir, dir, "--chdir", dir],
  ];
}

async function probe(): Promise<OuterWall> {
  if (process.platform !== "linux") return { reason: "bubblewrap is for Linux" };
  const path = PLACES.find((place) => existsSync(place));
  if (path === undefined) return { reason: "bubblewrap (`bwrap`) is not installed" };
  try {
    const args = [...wallAround(process.execPath, "/dev/shm"), "--", process.execPath, "--version"];
    await promisify(execFile)(path, args, { timeout: PROBE_MS, env: {} });
    return { path };
  } catch (error) {
    const { stderr = "" } = error as { stderr?: string };
    return {
      reason: `bubblewrap cannot make namespaces here: ${stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? ""}`,
    };
  }
}
