import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { NameParam, Tier } from "./_skill_shape.ts";

export default defineCommand({
  name: "skill.upgrade",
  category: "skills",
  summary: "Give skills the SDK of this browse",
  description:
    "Without a name: all those of the project and the user whose client.ts is another. A skill's content is another " +
    "then, so what a person has agreed to is asked anew.",
  scope: "control",
  effect: "disk",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({ name: v.exactOptional(NameParam) }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    upgraded: v.array(
      v.strictObject({
        name: v.string(),
        tier: Tier,
        asksAgain: v.pipe(v.boolean(), v.description("A person had agreed to it as it was")),
      }),
    ),
  }),
  examples: ["browse skill upgrade"],
  async run({ daemon }, { name }) {
    const { store } = daemon.skills;
    const skills = name === undefined ? (await store.list()).skills : [store.find(name)];
    const older = skills.filter(({ sdk, tier }) => sdk === "older" && (name !== undefined || tier !== "bundled"));
    const upgraded = [];
    for (const skill of older) {
      const { tier } = await store.upgrade(skill);
      upgraded.push({ name: skill.name, tier, asksAgain: skill.approved || skill.trusted });
    }
    return { upgraded };
  },
  render: ({ upgraded }, { name }) =>
    upgraded.length === 0
      ? `${name === undefined ? "Every skill" : `"${name}"`} has the SDK of this browse`
      : upgraded.map(upgradedText).join("\n"),
});

function upgradedText({ name, tier, asksAgain }: { name: string; tier: string; asksAgain: boolean }): string {
  return `Gave "${name}" (${tier}) the SDK of this browse${asksAgain ? `; approve it again with \`browse skill trust ${name}\`` : ""}`;
}
