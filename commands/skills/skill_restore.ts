import * as v from "valibot";
import { SkillName } from "../../skills/skill.ts";
import { defineCommand } from "../command.ts";
import { Tier } from "./_skill_shape.ts";

export default defineCommand({
  name: "skill.restore",
  category: "skills",
  summary: "Bring back a skill that was removed",
  description: "Of several that were removed under the name, the last one comes back.",
  scope: "control",
  effect: "disk",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({ name: SkillName }),
  cli: { positional: ["name"] },
  result: v.strictObject({ restored: v.string(), tier: Tier }),
  examples: ["browse skill new gone --host news.example", "browse skill rm gone", "browse skill restore gone"],
  run: ({ daemon }, { name }) => ({ restored: name, tier: daemon.skills.store.restore(name) }),
  render: ({ restored, tier }) => `Restored "${restored}" (${tier})`,
});
