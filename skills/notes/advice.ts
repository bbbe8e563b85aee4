/** What is known of a host where somebody arrives: skills that work there, and notes about it. Untrusted, all of it. */

import type { Verdict } from "../../security/content/verdict.ts";
import { redactParams, redactText } from "../../security/secrets/redact.ts";
import { DomainRules } from "../../security/urls/domain_rules.ts";
import { addressesOf } from "../../security/urls/host_name.ts";
import { counted } from "../../wording.ts";
import { domainsOf, type SkillArg, type SkillManifest } from "../skill.ts";
import type { SkillStore } from "../store/skill_store.ts";
import { isUnflagged, judge, type Layers, worstOf } from "./judge.ts";
import type { Asking, Notes, ServedNote, ShownNote } from "./notes.ts";

/** More than anybody chooses from. */
const MAX_SKILLS = 20;

export type SkillAdvice = Pick<SkillManifest, "name" | "description" | "args">;

export interface Advice {
  host: string;
  skills: SkillAdvice[];
  notes: Pick<ShownNote, "id" | "tier" | "text">[];
  /** Notes in quarantine, which `note.show` has. */
  quarantined: number;
  /** What the content guard says of the words in it. */
  untrusted: { verdict: Verdict; warnings: string[] };
}

export interface AdvisorOptions {
  store: Pick<SkillStore, "list">;
  notes: Notes;
  layers: Layers;
}

export class Advisor {
  readonly #store: AdvisorOptions["store"];
  readonly #notes: Notes;
  readonly #layers: Layers;

  constructor({ store, notes, layers }: AdvisorOptions) {
    this.#store = store;
    this.#notes = notes;
    this.#layers = layers;
  }

  /** Undefined where there is none. What the content guard has anything against is left out. */
  async about(host: string, asking: Asking): Promise<Advice | undefined> {
    const quarantined = this.#notes.of(host).notes.filter(({ state }) => state === "quarantined").length;
    const served = (await this.#notes.serve(host, ["active"], asking)).filter(({ judged }) => isUnflagged(judged));
    const skills = await this.skillsFor(host, asking.signal);
    if (served.length + skills.length + quarantined === 0) return undefined;
    const verdict = worstOf(served.map(({ judged }) => judged.verdict));
    const warnings = [...new Set(served.flatMap(({ judged }) => judged.warnings))];
    return { host, skills, notes: served.map(brief), quarantined, untrusted: { verdict, warnings } };
  }

  /** Those whose own words the content guard has nothing against: a repository that was cloned brings skills along. */
  async skillsFor(host: string, signal: AbortSignal): Promise<SkillAdvice[]> {
    const judged = await Promise.all(
      (await this.#fitting(host)).map(async (skill) => {
        const words = [skill.description, ...skill.args.map(wordsOf)].join("\n");
        return { skill, judged: await judge(words, this.#layers, signal) };
      }),
    );
    return judged.filter((one) => isUnflagged(one.judged)).map(({ skill }) => redactParams(skill, []) as SkillAdvice);
  }

  /** In a line, which says nothing that somebody else wrote: `2 skills and 1 note`. Undefined where there is nothing. */
  async count(host: string): Promise<string | undefined> {
    const skills = (await this.#fitting(host)).length;
    const kept = this.#notes.of(host).notes;
    const active = kept.filter(({ state }) => state === "active").length;
    const waiting = kept.length - active;
    const counts = [
      ...(skills > 0 ? [counted(skills, "skill")] : []),
      ...(active > 0 ? [counted(active, "note")] : []),
      ...(waiting > 0 ? [`${counted(waiting, "note")} in quarantine`] : []),
    ];
    return counts.length > 0 ? counts.join(" and ") : undefined;
  }

  /** Skills for that host. What works anywhere is no news anywhere. */
  async #fitting(host: string): Promise<SkillAdvice[]> {
    const { skills } = await this.#store.list();
    const fitting = skills.filter(({ manifest }) => isFor(domainsOf(manifest), host));
    return fitting
      .slice(0, MAX_SKILLS)
      .map(({ manifest: { name, description, args } }) => ({ name, description, args }));
  }
}

function isFor(domains: string[] | undefined, host: string): boolean {
  if (domains === undefined) return false;
  const rules = new DomainRules(domains);
  return addressesOf(host).some((url) => rules.allows(url));
}

function wordsOf({ name, description = "", default: fallback = "" }: SkillArg): string {
  return `${name} ${description} ${fallback}`;
}

function brief({ id, tier, text }: ServedNote): Advice["notes"][number] {
  return { id, tier, text: redactText(text) };
}
