/** A skill as answers tell of it. Its words are of whoever wrote it, maybe of a cloned repository: always quoted. */
import * as v from "valibot";
import type { Token } from "../../security/tokens/token.ts";
import { domainsWithin } from "../../security/urls/domains_within.ts";
import { asksFirst, domainsOf, SKILL_TIERS, type Skill } from "../../skills/skill.ts";

/** Also of broken skills, whose folders may be called otherwise than skills are. */
export const NameParam = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.maxLength(100),
  v.description("The skill's name"),
);

export const Tier = v.picklist(SKILL_TIERS);

export const SkillEntries = {
  name: v.string(),
  tier: v.pipe(Tier, v.description("project: in .browse/skills; user: in ~/.browse/skills; bundled: with browse")),
  description: v.string(),
  host: v.string(),
  scopes: v.array(v.string()),
  shadows: v.pipe(v.array(Tier), v.description("Where there is one of its name that is not used")),
  sdk: v.pipe(v.picklist(["current", "older"]), v.description("older: its client.ts is not that of this browse")),
  trusted: v.pipe(v.boolean(), v.description("It runs outside the sandbox, as a person has agreed")),
  approved: v.pipe(v.boolean(), v.description("A person has approved its actions as they are now")),
  asks: v.pipe(v.boolean(), v.description("Each of its actions is asked for")),
};
const EntrySchema = v.strictObject(SkillEntries);

export function entryOf(skill: Skill): v.InferInput<typeof EntrySchema> {
  const { name, tier, manifest, shadows, sdk, trusted, approved } = skill;
  const { description, host, scopes } = manifest;
  return { name, tier, description, host, scopes, shadows, sdk, trusted, approved, asks: asksFirst(skill) };
}

/** Whose runs could do nothing anywhere that the holder may be is nothing for it to know of. */
export function mayKnowOf({ domains }: Token, { manifest }: Skill): boolean {
  return domainsWithin(domains, domainsOf(manifest)) !== "none";
}

/** What is out of the ordinary about it: `, shadows user, older SDK`. */
export function remarks({ shadows, sdk, trusted, asks }: v.InferOutput<typeof EntrySchema>): string {
  return [
    ...(shadows.length > 0 ? [`shadows ${shadows.join(", ")}`] : []),
    ...(sdk === "older" ? ["older SDK"] : []),
    ...(trusted ? ["outside the sandbox"] : []),
    ...(asks ? ["asks for each action"] : []),
  ]
    .map((remark) => `, ${remark}`)
    .join("");
}
