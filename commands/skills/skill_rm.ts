import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { NameParam, Tier } from "./_skill_shape.ts";

export default defineCommand({
  name: "skill.rm",
  category: "skills",
  summary: "Remove a skill; `skill restore` brings it back",
  description: "The one that the name means is removed, broken or not. Those that ship with browse stay.",
  scope: "control",
  effect: "disk",
  needs: "daemon",
  reach: "daemon",
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ name: NameParam }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    removed: v.string(),
    tier: Tier,
    now: v.exactOptional(v.pipe(Tier, v.description("Where the one is that the name means from now on"))),
  }),
  examples: ["browse skill new old --host news.example", "browse skill rm old"],
  run({ daemon }, { name }) {
    const { tier, shadowed } = daemon.skills.store.remove(name);
    const [now] = shadowed;
    return { removed: name, tier, ...(now && { now }) };
  },
  render: ({ removed, tier, now }) =>
    `Removed ${JSON.stringify(removed)} (${tier})${now ? `; the name means the ${now} one now` : ""}`,
});
