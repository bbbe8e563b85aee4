/** All skills there are, as their folders say now: there is no index that could say otherwise. */
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { BrowseError } from "../../errors.ts";
import { ownFolderIn, removeAbandoned, writePrivateFile } from "../../security/files/private_file.ts";
import { suggestion } from "../../wording.ts";
import { type BrokenSkill, MANIFEST_FILE, SDK_FILE, SKILL_TIERS, type Skill, type SkillTier } from "../skill.ts";
import { type ReadSkill, readSkill, runningSdk, SeenSkills } from "./read_skill.ts";
import type { SkillFile } from "./skill_files.ts";
import { ROOM, Staging } from "./staging.ts";
import { namesIn, type TierFolders, tierFolders, tiersWith } from "./tiers.ts";
import { bury, type OwnTier, unearth } from "./tombstones.ts";
import { type Trust, TrustFile } from "./trust_file.ts";

export interface SkillList {
  /** Those that a name means, by name. */
  skills: Skill[];
  /** Of these too the first of a name is meant, and those in later tiers are shadowed. */
  broken: BrokenSkill[];
  /** What could not be looked at as a whole: "…/.browse/skills: it is a link". */
  problems: string[];
}

/** A skill, and the very bytes that its hash is of. */
export interface WholeSkill {
  skill: Skill;
  /** What SKILL.md says after the manifest. */
  prose: string;
  files: SkillFile[];
}

export interface MadeSkill {
  name: string;
  tier: SkillTier;
  dir: string;
  /** The tiers with one of its name that the name means instead, and those with one that it does not mean any more. */
  shadowedBy: SkillTier[];
  shadows: SkillTier[];
}

export interface SkillStoreOptions {
  /** The state folders of the project and of the user. */
  stateDir: string;
  home: string;
}

export class SkillStore {
  readonly folders: TierFolders;
  readonly trust: TrustFile;
  readonly #home: string;
  readonly #seen = new SeenSkills();

  constructor(options: SkillStoreOptions) {
    this.#home = options.home;
    this.folders = tierFolders(options);
    this.trust = new TrustFile(this.folders.user);
  }

  /** All of them. Between two folders others have their turn. */
  async list(): Promise<SkillList> {
    const trust = this.trust.read();
    const list: SkillList = { skills: [], broken: [], problems: trust.problem === undefined ? [] : [trust.problem] };
    const tiersOf = this.#names(list.problems);
    for (const [name, tiers] of tiersOf) {
      await turn();
      this.#listOne(name, tiers, trust, list);
    }
    const dirs = [...tiersOf].flatMap(([name, tiers]) => tiers.map((tier) => this.dirOf(tier, name)));
    this.#seen.keepOnly(new Set(dirs));
    return list;
  }

  /** Every name, in order, with the tiers that have it. */
  #names(problems: string[]): [string, SkillTier[]][] {
    const tiersOf = new Map<string, SkillTier[]>();
    for (const tier of SKILL_TIERS) {
      const { names, problem } = namesIn(this.folders[tier]);
      if (problem !== undefined) problems.push(`${this.folders[tier]}: ${problem}`);
      for (const name of names) tiersOf.set(name, [...(tiersOf.get(name) ?? []), tier]);
    }
    return [...tiersOf].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #listOne(name: string, tiers: readonly SkillTier[], trust: Trust, { skills, broken }: SkillList): void {
    for (const [index, tier] of tiers.entries()) {
      const looked = this.#seen.look(this.folders[tier], name);
      if (looked === undefined) continue;
      if ("reason" in looked) broken.push({ name, tier, dir: this.dirOf(tier, name), reason: looked.reason });
      else if (index === 0) skills.push(this.#skill(name, tiers, looked.read, trust));
    }
  }

  /** The one that the name means. Throws `not_found`; for a broken one it says why it is. */
  find(name: string): Skill {
    return this.read(name).skill;
  }

  /** The same, with all its files as they are now: what runs has to be these bytes, since trust is told of them. */
  read(name: string): WholeSkill {
    const tiers = tiersWith(this.folders, name);
    const [tier] = tiers;
    const looked = tier && readSkill(this.folders[tier], name);
    if (tier === undefined || looked === undefined) throw this.#unknown(name);
    if ("reason" in looked) {
      throw new BrowseError("not_found", `The skill "${name}" is broken: ${looked.reason}`, {
        hint: `Correct it; what it is stands in ${join(this.dirOf(tier, name), MANIFEST_FILE)}`,
      });
    }
    const { prose, files } = looked.read;
    return { skill: this.#skill(name, tiers, looked.read, this.trust.read()), prose, files };
  }

  /** Makes a skill of these files and the SDK, whole or not at all. Throws `blocked_path` where there is one, `too_large`. */
  async make(tier: OwnTier, name: string, files: Readonly<Record<string, string>>): Promise<MadeSkill> {
    using staging = Staging.open(this.#home);
    for (const [file, text] of Object.entries(files)) await staging.write(file, text);
    await staging.write(SDK_FILE, runningSdk());
    const dir = this.dirOf(tier, name);
    staging.commit(dir);
    const tiers = tiersWith(this.folders, name);
    const place = tiers.indexOf(tier);
    return { name, tier, dir, shadowedBy: tiers.slice(0, place), shadows: tiers.slice(place + 1) };
  }

  /** Takes away the one that the name means, broken or not; `restore` brings it back. Throws `not_found`, `unsupported`. */
  remove(name: string): { tier: SkillTier; shadowed: SkillTier[] } {
    const [tier, ...shadowed] = tiersWith(this.folders, name);
    if (tier === undefined) throw this.#unknown(name);
    if (tier === "bundled") {
      throw new BrowseError("unsupported", `The skill "${name}" ships with browse, and cannot be removed`, {
        hint: `One of your own takes its place: \`browse skill new ${name}\``,
      });
    }
    bury(this.folders, tier, name);
    return { tier, shadowed };
  }

  /** Brings back the one of that name that was removed last. Throws `not_found`, and `blocked_path` where there is one again. */
  restore(name: string): SkillTier {
    return unearth(this.folders, name);
  }

  /** Gives a skill the SDK of this browse; its hash is another then. Throws `not_found`, `unsupported`. */
  async upgrade({ name, tier, dir }: Skill): Promise<Skill> {
    if (tier === "bundled")
      throw new BrowseError("unsupported", `The skill "${name}" ships with browse, and has its SDK`);
    // Beside the skills, so that what a killed process leaves is no file of a skill.
    const room = ownFolderIn(this.folders[tier], ROOM);
    removeAbandoned(room);
    await writePrivateFile(join(dir, SDK_FILE), runningSdk().toString("utf8"), room);
    return this.find(name);
  }

  dirOf(tier: SkillTier, name: string): string {
    return join(this.folders[tier], name);
  }

  #skill(name: string, [tier = "project", ...shadows]: readonly SkillTier[], read: ReadSkill, trust: Trust): Skill {
    const { manifest, hash, isCurrentSdk } = read;
    const { trusted, approved } = trust.of(hash);
    return {
      name,
      tier,
      dir: this.dirOf(tier, name),
      manifest,
      hash,
      shadows,
      sdk: isCurrentSdk ? "current" : "older",
      trusted: trusted && manifest.trusted,
      approved,
    };
  }

  #unknown(name: string): BrowseError {
    const known = SKILL_TIERS.flatMap((tier) => namesIn(this.folders[tier]).names);
    return new BrowseError("not_found", `There is no skill "${name}"${suggestion(name, known)}`, {
      hint: "Run `browse skill list`",
    });
  }
}
