/** Which files a caller may read and write. Both answers are paths with every link resolved, to be used as they are. */
import { statSync } from "node:fs";
import { extname, isAbsolute, resolve } from "node:path";
import { BrowseError } from "../rpc/errors.ts";
import { type FilePolicy, realLocation, refusalOf } from "./file_location.ts";
import type { MadeFiles } from "./made_files.ts";

export interface PathPolicy extends FilePolicy {
  /** Accepted file name endings, with the dot and in lower case; any when absent. */
  extensions?: readonly string[];
}

export interface WritePolicy extends PathPolicy {
  /** The caller asked to overwrite whatever file is there. */
  force?: boolean;
  /** The files we made ourselves, which may be overwritten without asking. */
  made?: MadeFiles;
}

/** The real path a new file may be written to with `createFile`. Throws `blocked_path`. */
export function resolveWrite(path: string, policy: WritePolicy): string {
  const location = allowedLocation("write", path, policy);
  if (location.exists) {
    if (!statSync(location.path).isFile()) throw blockedPath("write", path, "it is not a regular file");
    if (!(policy.force ?? false) && !(policy.made?.has(location.path) ?? false)) throw alreadyThere(path);
  }
  return location.path;
}

/** The real path of an existing file that may be read. Throws `blocked_path`, or `not_found` inside an allowed folder. */
export function resolveRead(path: string, policy: PathPolicy): string {
  const location = allowedLocation("read", path, policy);
  if (!location.exists) {
    throw new BrowseError("not_found", `Cannot read "${path}": there is no such file`, {
      hint: "Check the path; relative ones start at the current folder",
    });
  }
  if (!statSync(location.path).isFile()) throw blockedPath("read", path, "it is not a regular file");
  return location.path;
}

/** The error for a file that is in the way and is not ours. */
export function alreadyThere(path: string): BrowseError {
  return new BrowseError("blocked_path", `Cannot write "${path}": a file that browse did not make is already there`, {
    hint: "Choose another name, or overwrite it with `--force`",
  });
}

export function blockedPath(access: "read" | "write", path: string, reason: string, cause?: unknown): BrowseError {
  return new BrowseError("blocked_path", `Cannot ${access} "${path}": ${reason}`, { cause, details: { reason } });
}

function wrongEnding(access: "read" | "write", path: string, extensions: readonly string[]): BrowseError {
  const reason = `its name must end in ${extensions.join(", ")}`;
  return new BrowseError("blocked_path", `Cannot ${access} "${path}": ${reason}`, {
    details: { reason },
    hint: `${access === "read" ? "Give a file" : "Give it a name"} that ends in ${extensions.join(" or ")}`,
  });
}

function allowedLocation(access: "read" | "write", path: string, policy: PathPolicy) {
  if (path === "") throw blockedPath(access, path, "the path is empty");
  if (path.includes("\0")) throw blockedPath(access, path, "it contains a null byte");
  if (!isAbsolute(path) && policy.cwd === undefined)
    throw blockedPath(access, path, "a relative path has no start here");
  const location = realLocation(resolve(policy.cwd ?? "/", path));
  if ("refused" in location) throw blockedPath(access, path, location.refused);
  // A trailing slash names a folder, whether it is there or not.
  if (/[\\/]$/.test(path)) throw blockedPath(access, path, "it names a folder");
  const refusal = refusalOf(location.path, policy, { artifacts: true });
  if (refusal !== undefined) throw blockedPath(access, path, refusal);
  // Both names count: a link `a.png` to `source.ts` would have the other pass.
  for (const name of [path, location.path]) {
    const extension = extname(name).toLowerCase();
    if (policy.extensions !== undefined && !policy.extensions.includes(extension)) {
      throw wrongEnding(access, path, policy.extensions);
    }
  }
  return location;
}
