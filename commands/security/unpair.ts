import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "unpair",
  category: "security",
  summary: "Revoke a paired agent's access",
  description: "Its token and any pairing key of that name end at once, with what runs for it.",
  scope: "control",
  effect: "process",
  needs: "daemon",
  reach: "daemon",
  outsidePolicy: true,
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({
    name: v.pipe(v.string(), v.minLength(1, "must not be empty"), v.description("The agent's name")),
  }),
  cli: { positional: ["name"] },
  result: v.strictObject({ name: v.string() }),
  examples: ["browse unpair researcher"],
  run({ daemon: { remote } }, { name }) {
    if (remote.unpair(name)) return { name };
    const names = remote.agents().map((agent) => agent.name);
    throw new BrowseError("not_found", `No agent is paired as "${name}"`, {
      hint: names.length === 0 ? "No agent is paired" : `Paired agents: ${names.join(", ")}`,
    });
  },
  render: ({ name }) => `Revoked "${name}"`,
});
