/** A folder that should be a skill and cannot be used, as answers tell of it. */
import { join } from "node:path";
import * as v from "valibot";
import { type BrokenSkill, MANIFEST_FILE } from "../../skills/skill.ts";
import { Tier } from "./_skill_shape.ts";

export const BrokenSchema = v.strictObject({
  name: v.string(),
  tier: Tier,
  path: v.pipe(v.string(), v.description("Where its SKILL.md is, or should be")),
  reason: v.string(),
});

type Broken = v.InferOutput<typeof BrokenSchema>;

export function brokenOf({ name, tier, dir, reason }: BrokenSkill): Broken {
  return { name, tier, path: join(dir, MANIFEST_FILE), reason };
}

export function brokenText({ name, tier, path, reason }: Broken): string {
  return `broken: ${JSON.stringify(name)} (${tier}): ${reason} (${JSON.stringify(path)})`;
}
