/** Where files go whose maker names no place: the user's to the artifacts, everybody else's to a folder of their own in them. */

import { lstat, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { nameKey } from "./grant.ts";
import { blockedPath } from "./path_policy.ts";
import type { Token } from "./token.ts";

/** What a lent token is asked for, and no more. */
type Holder = Pick<Token, "kind" | "name" | "id">;

/**
 * The name of the holder's own folder in the artifacts; undefined for the user, who has them all. Agents keep theirs from
 * one token to the next, as their name says; what else runs here has one for each token.
 */
export function ownFolderOf({ kind, name, id }: Holder): string | undefined {
  if (kind === "root") return undefined;
  // No agent's name has a plus in it.
  return kind === "client" ? nameKey(name) : `${kind}+${id}`;
}

/** The same, made if it is not there. Throws `blocked_path` when something else has its name. */
export async function makeArtifacts(artifactsDir: string, holder: Holder | undefined): Promise<string> {
  const folder = artifactsOf(artifactsDir, holder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // A project may come with a link in its place.
  if ((await lstat(folder)).isDirectory()) return folder;
  throw blockedPath("write", folder, "it is a link");
}

/** The folder that takes what `holder` makes; of nobody in particular, it is the user's. */
export function artifactsOf(artifactsDir: string, holder: Holder | undefined): string {
  return join(artifactsDir, (holder && ownFolderOf(holder)) ?? "");
}
