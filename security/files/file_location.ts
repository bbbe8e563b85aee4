/** Where a file really is, and whether that is a place callers may use. Shared by the URL and the path policy. */
import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
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
  /** Of who is not the user: the name of its own folder in the artifacts, the only one there that is open to it. */
  lentTo?: string;
}

/** A path with every link resolved, or the reason why it has no such thing. */
export type RealLocation = { path: string; exists: boolean } | { refused: string };

/** The name of every state folder, of this project, the user, or another project: all of them hold secrets. */
const STATE_FOLDER = ".browse";

/** What browse makes for people and agents to look at, of everybody. */
export function artifactsIn(stateDir: string): string {
  return join(stateDir, "artifacts");
}

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

/** Why a resolved path may not be used; undefined when it may. Artifacts are open to paths only. */
export function refusalOf(path: string, policy: FilePolicy, options: { artifacts: boolean }): string | undefined {
  const artifacts = artifactsRoot(policy);
  if (!(options.artifacts && isWithin(artifacts, path))) {
    if (isState(path, policy)) return "it is in a state folder of browse";
    if (rootOf(path, policy) === undefined) {
      return policy.lentTo === undefined
        ? "it is outside the current folder and the temporary folder"
        : "it is outside the folders that this token was given";
    }
  }
  return linkRefusal(path, policy);
}

/** Is it in, or itself, a state folder? Both resolved. */
export function isState(
  path: string,
  { stateDir, homeStateDir }: Pick<FilePolicy, "stateDir" | "homeStateDir">,
): boolean {
  const own = [stateDir, ...(homeStateDir === undefined ? [] : [homeStateDir])].map(realOrSame);
  return own.some((dir) => isWithin(dir, path)) || path.toLowerCase().split(/[\\/]/).includes(STATE_FOLDER);
}

/** The innermost of the allowed folders that a resolved path is in. */
export function rootOf(path: string, policy: FilePolicy): string | undefined {
  // What lies in the place of an agent's own folder is not always that folder: a project may come with a link there.
  const folders = policy.cwd === undefined || policy.lentTo !== undefined ? [] : [policy.cwd];
  const roots = [...folders, ...(policy.roots ?? tempRoots())].map(realOrSame);
  return [artifactsRoot(policy), ...roots]
    .filter((root) => isWithin(root, path))
    .reduce<string | undefined>((inner, root) => (root.length > (inner?.length ?? -1) ? root : inner), undefined);
}

function artifactsRoot({ stateDir, lentTo = "" }: FilePolicy): string {
  return join(artifactsIn(realOrSame(stateDir)), lentTo);
}

/** A second name for a file shows nothing of where the first one is: of ours none is taken, and none at all for a lender. */
function linkRefusal(path: string, policy: FilePolicy): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.nlink < 2) return undefined;
  if (policy.lentTo !== undefined) return "it has more than one name, which may lie outside (a hard link)";
  const { stateDir, homeStateDir = stateDir } = policy;
  const isOurs = [stateDir, homeStateDir].some((dir) =>
    filesIn(dir, STATE_DEPTH).some((file) => isSameFile(file, stats)),
  );
  return isOurs ? "it is a state file of browse under another name (a hard link)" : undefined;
}

/** Folders of saved states and of the record of denials are one below. */
const STATE_DEPTH = 2;

function filesIn(dir: string, depth: number): string[] {
  if (depth === 0 || !isEntry(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return entry.name === "artifacts" ? [] : filesIn(path, depth - 1);
    return entry.isFile() ? [path] : [];
  });
}

function isSameFile(path: string, { dev, ino }: Stats): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.dev === dev && stats.ino === ino;
}

function realOrSame(path: string): string {
  const real = realLocation(resolve(path));
  return "path" in real ? real.path : resolve(path);
}
