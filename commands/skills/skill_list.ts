import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { BrokenSchema, brokenOf, brokenText } from "./_broken.ts";
import { entryOf, mayKnowOf, remarks, SkillEntries } from "./_skill_shape.ts";

export default defineCommand({
  name: "skill.list",
  category: "skills",
  summary: "List the skills there are, broken ones too",
  description:
    "A skill is a folder with a script that replays a flow in one call. Those of the project come first, then the " +
    "user's, then those that browse brings along: the first of a name wins. An agent that is held to domains sees those that work there.",
  scope: "read",
  effect: "none",
  needs: "daemon",
  output: "page",
  fromPage: "parts",
  params: v.strictObject({}),
  result: v.strictObject({
    skills: v.array(v.strictObject(SkillEntries)),
    broken: v.pipe(v.array(BrokenSchema), v.description("Folders that cannot be used as skills, and why")),
    problems: v.pipe(v.array(v.string()), v.description("What could not be looked at as a whole")),
  }),
  examples: ["browse skill list"],
  async run({ daemon, holder }) {
    const { skills, broken, problems } = await daemon.skills.store.list();
    return {
      skills: skills.filter((skill) => mayKnowOf(holder, skill)).map(entryOf),
      // Which hosts these are for cannot be known.
      broken: holder.domains ? [] : broken.map(brokenOf),
      problems: holder.domains ? [] : problems,
    };
  },
  render({ skills, broken, problems }) {
    const lines = [
      ...skills.map((skill) => {
        const { name, tier, description } = skill;
        return `${name} (${tier}${remarks(skill)}) ${JSON.stringify(description)}`;
      }),
      ...broken.map(brokenText),
      ...problems.map((problem) => `! ${problem}`),
    ];
    return lines.length === 0 ? "There are no skills" : lines.join("\n");
  },
});
