/** The folders that skills are in. */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../security/files/error_code.ts";
import { SKILL_TIERS, type SkillTier } from "../skill.ts";

export type TierFolders = Readonly<Record<SkillTier, string>>;

/** More are not looked at: a cloned repository can bring along as many as it likes. */
const MAX_SKILLS = 500;
const MAX_NAME = 100;

/** Where browse itself is: of the source, or of what was built from it. */
const ROOT = join(import.meta.dirname, import.meta.url.endsWith(".ts") ? "../.." : "..");
const BUNDLED = join(ROOT, "skills", "bundled");
/** The SDK of this version, which each new skill has a copy of. */
export const RUNNING_SDK = join(ROOT, "client.ts");

/** `stateDir` and `home` are the state folders of the project and of the user. */
export function tierFolders({ stateDir, home }: { stateDir: string; home: string }): TierFolders {
  return { project: join(stateDir, "skills"), user: join(home, "skills"), bundled: BUNDLED };
}

/** Names in a tier that may be skills, sorted, and why there may be more; what begins with a dot is ours. */
export function namesIn(folder: string): { names: string[]; problem?: string } {
  try {
    const problem = folderProblem(folder);
    if (problem !== undefined) return { names: [], problem };
    const all = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
    // A file beside the folders is nobody's skill: a README, say.
    const names = all.filter((entry) => !entry.isFile() && entry.name.length <= MAX_NAME).map(({ name }) => name);
    if (names.length <= MAX_SKILLS) return { names: names.sort() };
    return {
      names: names.sort().slice(0, MAX_SKILLS),
      problem: `it has ${names.length} folders: only the first ${MAX_SKILLS} are listed`,
    };
  } catch (error) {
    return errorCode(error) === "ENOENT"
      ? { names: [] }
      : { names: [], problem: `it cannot be read (${errorCode(error)})` };
  }
}

/** The tiers that have a folder of that name, broken or not; the first is what the name means. */
export function tiersWith(folders: TierFolders, name: string): SkillTier[] {
  if (!/^[^./\\][^/\\]*$/.test(name)) return [];
  return SKILL_TIERS.filter((tier) => isUsable(folders[tier]) && isThere(join(folders[tier], name)));
}

/** Is it a folder that skills are taken from? */
export function isUsable(folder: string): boolean {
  try {
    return folderProblem(folder) === undefined;
  } catch {
    return false;
  }
}

function isThere(dir: string): boolean {
  try {
    return !lstatSync(dir).isFile();
  } catch {
    return false;
  }
}

/** Why no skill is taken from that folder; undefined when they are. Throws system errors, ENOENT too. */
function folderProblem(folder: string): string | undefined {
  const stats = lstatSync(folder);
  if (stats.isSymbolicLink()) return "it is a link";
  return stats.isDirectory() ? undefined : "it is not a folder";
}
