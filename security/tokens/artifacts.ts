/** Where files go whose maker names no place: the user's to the artifacts, everybody else's to a folder of their own in them. */
import { readdirSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ownFolderIn } from "../files/private_file.ts";
import { nameKey } from "./grant.ts";
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

/** The folder of all artifacts, made if it is not there. A project may come with links in it, in the place of agents' own folders. */
export function prepareArtifacts(stateDir: string): void {
  const folder = ownFolderIn(stateDir, "artifacts");
  const links = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
  for (const { name } of links) rmSync(join(folder, name), { force: true });
}

/** The folder that takes what `holder` makes, made if it is not there. Throws `blocked_path` when that cannot be. */
export async function makeArtifacts(artifactsDir: string, holder: Holder | undefined): Promise<string> {
  await mkdir(artifactsDir, { recursive: true, mode: 0o700 });
  const own = holder && ownFolderOf(holder);
  return own === undefined ? artifactsDir : ownFolderIn(artifactsDir, own);
}

/** The folder that takes what `holder` makes; of nobody in particular, it is the user's. */
export function artifactsOf(artifactsDir: string, holder: Holder | undefined): string {
  return join(artifactsDir, (holder && ownFolderOf(holder)) ?? "");
}
