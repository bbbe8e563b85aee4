/** What is known of a host where somebody arrives: skills that work there, and notes about it. Untrusted, all of it. */

import type { Verdict } from "../../security/content/verdict.ts";
import { redactText } from "../../security/secrets/redact.ts";
import { counted } from "../../wording.ts";
import { isUnflagged, judge, type Layers, worstOf } from "./judge.ts";
import type { Asking, Notes, ServedNote, ShownNote } from "./notes.ts";

/** More than anybody chooses from. */
const MAX_SKILLS = 20;

export interface SkillAdvice {
  name: string;
  description: string;
  args: { name: string; description?: string; required?: boolean }[];
}

/** Skills whose host this is, those that work anywhere left out. */
export type SkillsFor = (host: string) => SkillAdvice[];

export interface Advice {
  host: string;
  skills: SkillAdvice[];
  notes: Pick<ShownNote, "id" | "tier" | "text">[];
  /** Notes in quarantine, which `note.show` has. */
  quarantined: number;
  /** What the content guard says of the words in it. */
  untrusted: { verdict: Verdict; warnings: string[] };
}

export interface AdvicePorts {
  notes: Notes;
  skillsFor: SkillsFor;
  layers: Layers;
}

export class Advisor {
  readonly #ports: AdvicePorts;

  constructor(ports: AdvicePorts) {
    this.#ports = ports;
  }

  /** Undefined where there is none. What the content guard has anything against is left out. */
  async about(host: string, asking: Asking): Promise<Advice | undefined> {
    const { notes } = this.#ports;
    const quarantined = notes.of(host).notes.filter(({ state }) => state === "quarantined").length;
    const served = (await notes.serve(host, ["active"], asking)).filter(({ judged }) => isUnflagged(judged));
    const skills = await this.skillsFor(host, asking.signal);
    if (served.length + skills.length + quarantined === 0) return undefined;
    const verdict = worstOf(served.map(({ judged }) => judged.verdict));
    const warnings = [...new Set(served.flatMap(({ judged }) => judged.warnings))];
    return { host, skills, notes: served.map(brief), quarantined, untrusted: { verdict, warnings } };
  }

  /** Those whose own words the content guard has nothing against: a repository that was cloned brings skills along. */
  async skillsFor(host: string, signal: AbortSignal): Promise<SkillAdvice[]> {
    const fitting = this.#ports.skillsFor(host).slice(0, MAX_SKILLS);
    const judged = await Promise.all(
      fitting.map(async (skill) => {
        const words = [skill.description, ...skill.args.map(({ description = "" }) => description)].join("\n");
        return { skill, judged: await judge(words, this.#ports.layers, signal) };
      }),
    );
    return judged.filter((one) => isUnflagged(one.judged)).map(({ skill }) => redacted(skill));
  }

  /** In a line, which says nothing that somebody else wrote: `2 skills and 1 note`. Undefined where there is nothing. */
  count(host: string): string | undefined {
    const { notes, skillsFor } = this.#ports;
    const skills = Math.min(MAX_SKILLS, skillsFor(host).length);
    const kept = notes.of(host).notes.length;
    const counts = [...(skills > 0 ? [counted(skills, "skill")] : []), ...(kept > 0 ? [counted(kept, "note")] : [])];
    return counts.length > 0 ? counts.join(" and ") : undefined;
  }
}

function brief({ id, tier, text }: ServedNote): Advice["notes"][number] {
  return { id, tier, text: redactText(text) };
}

function redacted({ name, description, args }: SkillAdvice): SkillAdvice {
  return {
    name,
    description: redactText(description),
    args: args.map((arg) => ({
      ...arg,
      ...(arg.description !== undefined && { description: redactText(arg.description) }),
    })),
  };
}
