/** The folders that a person lends to an agent: looked up once, when they are lent, so that no link leads elsewhere later. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { BrowseError } from "../../errors.ts";
import { isState, realLocation } from "./file_location.ts";

interface LentFrom {
  /** Where relative paths start. */
  cwd: string;
  stateDir: string;
  homeStateDir: string;
}

const MAX_FOLDERS = 20;

/** Their real paths, each once. Throws `invalid_params`, `not_found` and `blocked_path`. */
export function lentFolders(named: readonly string[], from: LentFrom): string[] {
  if (named.length === 0)
    throw new BrowseError("invalid_params", "No folder is named", { hint: "Write --files shots,data" });
  if (named.length > MAX_FOLDERS) {
    throw new BrowseError("invalid_params", `More than ${MAX_FOLDERS} folders are named`, {
      hint: "Name the folder that they are in",
    });
  }
  return [...new Set(named.map((path) => lentFolder(path, from)))];
}

function lentFolder(path: string, { cwd, ...state }: LentFrom): string {
  if (path.trim() === "") throw new BrowseError("invalid_params", "A folder without a name cannot be lent");
  const location = realLocation(resolve(cwd, path));
  if ("refused" in location) throw cannotLend(path, location.refused);
  if (!location.exists) {
    throw new BrowseError("not_found", `Cannot lend "${path}": there is no such folder`, {
      hint: "Make it first, or check the path",
    });
  }
  if (!statSync(location.path).isDirectory()) throw cannotLend(path, "it is not a folder");
  if (isState(location.path, state)) throw cannotLend(path, "it is in a state folder of browse");
  return location.path;
}

function cannotLend(path: string, reason: string): BrowseError {
  return new BrowseError("blocked_path", `Cannot lend "${path}": ${reason}`, {
    details: { reason },
    hint: "Name a folder that holds what the agent is to work with, and nothing else",
  });
}
