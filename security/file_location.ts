/** Where a file really is, and whether that is a place callers may use. Shared by the URL and the path policy. */
import { lstatSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errorCode } from "./error_code.ts";

export interface FilePolicy {
  /** Where relative paths start, and the first place that is allowed; absent for callers that have none. */
  cwd?: string | undefined;
  /** This daemon's own folder: refused. */
  stateDir: string;
  /** The user's state folder when it is not called `.browse`: refused too. */
  homeStateDir?: string;
  /** Further allowed folders. Default: the temporary ones. */
  roots?: readonly string[];
}

/** A path with every link resolved, or the reason why it has no such thing. */
export type RealLocation = { path: string; exists: boolean } | { refused: string };

/** The name of every state folder, of this project, the user, or another project: all of them hold secrets. */
const STATE_FOLDER = ".browse";

/** The system's temporary folders. */
export function tempRoots(): string[] {
  return process.platform === "win32" ? [tmpdir()] : [tmpdir(), "/tmp"];
}

/** Resolves the nearest existing ancestor and joins the rest. A dangling link is refused: creating it writes elsewhere. */
export function realLocation(path: string): RealLocation {
  const missing: string[] = [];
  let current = path;
  for (;;) {
    try {
      return { path: join(realpathSync.native(current), ...missing), exists: missing.length === 0 };
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT" && !isEntry(current) && dirname(current) !== current) {
        missing.unshift(basename(current));
        current = dirname(current);
        continue;
      }
      return { refused: REFUSALS[code] ?? `it cannot be resolved (${code})` };
    }
  }
}

const REFUSALS: Record<string, string> = {
  ENOENT: "it is a link to something that does not exist",
  ELOOP: "its links go in a circle",
  ENOTDIR: "a part of it is a file, not a folder",
  EACCES: "the system does not let browse look there",
  EPERM: "the system does not let browse look there",
  ENAMETOOLONG: "its name is too long",
  ERR_INVALID_ARG_VALUE: "it contains a null byte",
};

function isEntry(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Is `path` the folder `dir` or under it? Both resolved; `/a/bc` is not under `/a/b`. */
export function isWithin(dir: string, path: string): boolean {
  const way = relative(dir, path);
  // On Windows the way to another drive is an absolute path.
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Why a resolved path may not be used; undefined when it may. `artifacts/` of our own folder is open to paths only. */
export function refusalOf(path: string, policy: FilePolicy, options: { artifacts: boolean }): string | undefined {
  const stateDir = realOrSame(policy.stateDir);
  if (options.artifacts && isWithin(join(stateDir, "artifacts"), path)) return undefined;
  const own = [stateDir, ...(policy.homeStateDir === undefined ? [] : [realOrSame(policy.homeStateDir)])];
  if (own.some((dir) => isWithin(dir, path)) || path.toLowerCase().split(/[\\/]/).includes(STATE_FOLDER)) {
    return "it is in a state folder of browse";
  }
  const folders = policy.cwd === undefined ? [] : [policy.cwd];
  const roots = [...folders, ...(policy.roots ?? tempRoots())].map(realOrSame);
  if (!roots.some((root) => isWithin(root, path))) {
    return "it is outside the current folder and the temporary folder";
  }
  return undefined;
}

function realOrSame(path: string): string {
  const real = realLocation(resolve(path));
  return "path" in real ? real.path : resolve(path);
}
