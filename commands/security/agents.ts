import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { AuthorityEntries, authorityText } from "./_authority_shape.ts";

export default defineCommand({
  name: "agents",
  category: "security",
  summary: "List the agents that are paired with this browser",
  scope: "control",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  params: v.strictObject({}),
  result: v.strictObject({
    agents: v.array(v.strictObject({ ...AuthorityEntries, expiresAt: v.exactOptional(v.string()) })),
  }),
  examples: ["browse agents"],
  run: ({ daemon }) => ({ agents: daemon.remote.agents() }),
  render: ({ agents }) =>
    agents.length === 0
      ? "No agent is paired"
      : agents
          .map((agent) => `${agent.name}: ${authorityText(agent)}; until ${agent.expiresAt ?? "the end"}`)
          .join("\n"),
});
