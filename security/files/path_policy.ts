/** Which files a caller may read and write. Both answers are paths with every link resolved, to be used as they are. */
import { statSync } from "node:fs";
import { basename, extname, isAbsolute, relative, resolve } from "node:path";
import { BrowseError } from "../../errors.ts";
import { type FilePolicy, isState, realLocation, refusalOf, rootOf } from "./file_location.ts";
import type { Made } from "./made_files.ts";
import { hiddenReason, startupReason } from "./startup_files.ts";

export interface PathPolicy extends FilePolicy {
  /** Accepted file name endings, with the dot and in lower case; any when absent. */
  extensions?: readonly string[];
}

export interface WritePolicy extends PathPolicy {
  /** The user asked to overwrite whatever file is there; absent where that cannot be asked. */
  force?: boolean;
  /** The files that the caller made, which it may overwrite without asking. */
  made?: Made;
}

/** The real path a new file may be written to with `createFile`. Throws `blocked_path`. */
export function resolveWrite(path: string, policy: WritePolicy): string {
  const location = allowedLocation("write", path, policy);
  if (location.exists && !statSync(location.path).isFile())
    throw outOfReach("write", path, "it is not a regular file", policy);
  if (policy.force === true) return location.path;
  const reason = reasonToAsk(path, location.path, policy);
  if (reason !== undefined) throw startupFile(path, reason, policy);
  if (location.exists && !(policy.made?.has(location.path) ?? false)) throw alreadyThere(path, policy);
  return location.path;
}

/** Of a link, its own name counts as well as that of what it leads to. */
function reasonToAsk(path: string, real: string, policy: WritePolicy): string | undefined {
  // Nothing runs what is among the artifacts, and most of their names are ours.
  if (policy.lentTo === undefined && isState(real, policy)) return undefined;
  const way = relative(rootOf(real, policy) ?? "/", real);
  const names = [way, basename(path)];
  const reasons = policy.lentTo === undefined ? [startupReason] : [startupReason, hiddenReason];
  return reasons.flatMap((reasonOf) => names.map(reasonOf)).find((reason) => reason !== undefined);
}

/** The real path of an existing file that may be read. Throws `blocked_path`, or `not_found` inside an allowed folder. */
export function resolveRead(path: string, policy: PathPolicy): string {
  const location = allowedLocation("read", path, policy);
  if (!location.exists) {
    throw new BrowseError("not_found", `Cannot read "${path}": there is no such file`, {
      hint: `Check the path; relative ones start ${policy.lentTo === undefined ? "at the current folder" : "in your own artifacts"}`,
    });
  }
  if (!statSync(location.path).isFile()) throw outOfReach("read", path, "it is not a regular file", policy);
  return location.path;
}

/** The error for a file that is in the way and is not the caller's. */
export function alreadyThere(path: string, { lentTo, force }: Pick<WritePolicy, "lentTo" | "force">): BrowseError {
  const others = lentTo === undefined ? "a file that browse did not make" : "a file that your calls did not make";
  return new BrowseError("blocked_path", `Cannot write "${path}": ${others} is already there`, {
    hint: force === undefined ? "Choose another name" : "Choose another name, or overwrite it with `--force`",
  });
}

function startupFile(path: string, reason: string, { lentTo, force }: WritePolicy): BrowseError {
  const otherwise = "Choose another name, and let a person put the file there";
  const forced = "If that is what you want, write it with `--force`";
  return new BrowseError("blocked_path", `Cannot write "${path}": ${reason}`, {
    hint: lentTo !== undefined || force === undefined ? otherwise : forced,
    details: { reason },
  });
}

export function blockedPath(access: "read" | "write", path: string, reason: string, cause?: unknown): BrowseError {
  return new BrowseError("blocked_path", `Cannot ${access} "${path}": ${reason}`, { cause, details: { reason } });
}

function outOfReach(access: "read" | "write", path: string, reason: string, { lentTo, roots = [] }: PathPolicy) {
  if (lentTo === undefined) return blockedPath(access, path, reason);
  const own = `Your files are in your own artifacts, where relative paths start${roots.map((root) => `, and in ${root}`).join("")}`;
  return new BrowseError("blocked_path", `Cannot ${access} "${path}": ${reason}`, {
    details: { reason },
    hint: roots.length > 0 ? own : `${own}: a person gives more with \`browse pair NAME --files FOLDER\``,
  });
}

/** A slip in what was typed, where a link that leads to a file of another kind is kept out. */
function wrongEnding(
  access: "read" | "write",
  path: string,
  { extensions, isTyped }: { extensions: readonly string[]; isTyped: boolean },
): BrowseError {
  const reason = `its name must end in ${extensions.join(", ")}`;
  return new BrowseError(isTyped ? "invalid_params" : "blocked_path", `Cannot ${access} "${path}": ${reason}`, {
    details: { reason },
    hint: `${access === "read" ? "Give a file" : "Give it a name"} that ends in ${extensions.join(" or ")}`,
  });
}

function allowedLocation(access: "read" | "write", path: string, policy: PathPolicy) {
  if (path === "") throw outOfReach(access, path, "the path is empty", policy);
  if (path.includes("\0")) throw outOfReach(access, path, "it contains a null byte", policy);
  if (!isAbsolute(path) && policy.cwd === undefined)
    throw blockedPath(access, path, "a relative path has no start here");
  const location = realLocation(resolve(policy.cwd ?? "/", path));
  if ("refused" in location) throw outOfReach(access, path, location.refused, policy);
  // A trailing slash names a folder, whether it is there or not.
  if (/[\\/]$/.test(path)) throw outOfReach(access, path, "it names a folder", policy);
  const refusal = refusalOf(location.path, policy, { artifacts: true });
  if (refusal !== undefined) throw outOfReach(access, path, refusal, policy);
  // Both names count: a link `a.png` to `source.ts` would have the other pass.
  for (const name of [path, location.path]) {
    const extension = extname(name).toLowerCase();
    if (policy.extensions !== undefined && !policy.extensions.includes(extension)) {
      throw wrongEnding(access, path, { extensions: policy.extensions, isTyped: name === path });
    }
  }
  return location;
}
