import * as v from "valibot";
import { SkillManifestSchema, SkillName } from "../../skills/skill.ts";
import { defineCommand } from "../command.ts";
import { scaffold } from "./_scaffold.ts";
import { Tier } from "./_skill_shape.ts";

const { host: Host, description: Description } = SkillManifestSchema.entries;

export default defineCommand({
  name: "skill.new",
  category: "skills",
  summary: "Make a skill to begin with: manifest, script, test and fixture",
  description:
    "It works as it is: it says what a page's first line is. Edit script.ts, and SKILL.md for what it may do.",
  scope: "control",
  effect: "disk",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({
    name: SkillName,
    host: v.exactOptional(v.pipe(Host, v.description("The host that it works on; any unless you say"))),
    description: v.exactOptional(v.pipe(Description, v.description("What it does, in one line"))),
    user: v.exactOptional(v.pipe(v.boolean(), v.description("For all projects: in ~/.browse/skills"))),
  }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    name: v.string(),
    tier: Tier,
    dir: v.string(),
    shadowedBy: v.pipe(v.array(Tier), v.description("Where there is one that the name means instead")),
    shadows: v.array(Tier),
  }),
  examples: ['browse skill new first-line --host news.example --description "Read a page\'s first line"'],
  async run({ daemon }, { name, host = "*", description = "Read the first line of a page", user = false }) {
    const files = scaffold({ name, host, description }, new Date());
    return { ...(await daemon.skills.store.make(user ? "user" : "project", name, files)) };
  },
  render: ({ name, tier, dir, shadowedBy, shadows }) =>
    [
      `Made "${name}" (${tier}) in ${dir}`,
      ...(shadows.length > 0 ? [`It takes the place of the ${shadows.join(" and the ")} one`] : []),
      ...(shadowedBy.length > 0 ? [`The name still means the ${shadowedBy[0]} one`] : []),
      `Edit script.ts there; \`browse skill test ${name}\` runs its test, \`browse skill run ${name}\` the skill`,
    ].join("\n"),
});
