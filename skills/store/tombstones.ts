/** Skills that were removed, in `.tombstones` of their tier: by one rename there, and by one back. */
import { lstatSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { BrowseError } from "../../errors.ts";
import { ownFolderIn } from "../../security/files/private_file.ts";
import type { SkillTier } from "../skill.ts";
import { isUsable, type TierFolders } from "./tiers.ts";

const FOLDER = ".tombstones";
/** `20261125T134424123Z` */
const TIME = /^\d{8}T\d{9}Z$/;
const TIME_LENGTH = 19;

/** Where people can remove skills. */
const OWN_TIERS = ["project", "user"] as const satisfies readonly SkillTier[];
export type OwnTier = (typeof OWN_TIERS)[number];

/** Moves the folder away. Throws system errors. */
export function bury(folders: TierFolders, tier: SkillTier, name: string): void {
  const time = new Date().toISOString().replaceAll(/[-:.]/g, "");
  renameSync(join(folders[tier], name), join(ownFolderIn(folders[tier], FOLDER), `${name}-${time}`));
}

/** Brings back the one that was removed last; says to which tier. Throws `not_found`, and `blocked_path` where there is one again. */
export function unearth(folders: TierFolders, name: string): SkillTier {
  const tiers = OWN_TIERS.filter((tier) => isUsable(folders[tier]));
  const found = tiers.flatMap((tier) => buriedIn(join(folders[tier], FOLDER), name).map((time) => ({ tier, time })));
  const newest = found.reduce((best, each) => (best && best.time >= each.time ? best : each), found[0]);
  if (!newest) {
    throw new BrowseError("not_found", `No skill "${name}" was removed`, {
      hint: "`browse skill list` shows those that are there",
    });
  }
  const { tier, time } = newest;
  const to = join(folders[tier], name);
  if (lstatSync(to, { throwIfNoEntry: false })) {
    throw new BrowseError("blocked_path", `Cannot restore "${name}": there is one of that name again`, {
      hint: `Run \`browse skill rm ${name}\` first`,
    });
  }
  renameSync(join(folders[tier], FOLDER, `${name}-${time}`), to);
  return tier;
}

/** The times at which skills of that name were removed. */
function buriedIn(folder: string, name: string): string[] {
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  const names = readdirSync(folder).filter((each) => each.slice(0, -TIME_LENGTH) === `${name}-`);
  return names.map((each) => each.slice(-TIME_LENGTH)).filter((time) => TIME.test(time));
}
