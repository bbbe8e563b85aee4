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
  fromPage: "nothing",
  params: v.strictObject({}),
  result: v.strictObject({
    agents: v.array(v.strictObject({ ...AuthorityEntries, expiresAt: v.exactOptional(v.string()) })),
    waiting: v.pipe(
      v.array(v.strictObject({ name: v.string(), keyExpiresAt: v.string() })),
      v.description("Those who have not used their key yet"),
    ),
  }),
  examples: ["browse agents"],
  run: ({ daemon }) => ({ agents: daemon.remote.agents(), waiting: daemon.remote.waiting() }),
  render({ agents, waiting }) {
    const lines = [
      ...agents.map((agent) => `${agent.name}: ${authorityText(agent)}; until ${agent.expiresAt ?? "the end"}`),
      ...waiting.map(
        ({ name, keyExpiresAt }) => `${name}: has not used its key yet, which works until ${keyExpiresAt}`,
      ),
    ];
    return lines.length === 0 ? "No agent is paired" : lines.join("\n");
  },
});
