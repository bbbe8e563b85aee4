import * as v from "valibot";
import { ClassifierSchema, classifierResult, classifierText } from "../classifier_shape.ts";
import { defineCommand } from "../command.ts";
import { TunnelSchema, tunnelText } from "./_tunnel_shape.ts";

export default defineCommand({
  name: "security.status",
  category: "security",
  summary: "Show the security status: tunnel, paired agents, refused calls, the content classifier",
  scope: "read",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  params: v.strictObject({}),
  result: v.strictObject({
    tunnel: TunnelSchema,
    agents: v.pipe(v.number(), v.description("How many are paired")),
    refused: v.pipe(v.number(), v.description("Since the daemon started")),
    classifier: ClassifierSchema,
  }),
  examples: ["browse security status"],
  run: ({ daemon: { remote, content }, holder }) => ({
    tunnel: remote.tunnel(),
    agents: remote.agents().length,
    refused: remote.denialCount,
    classifier: classifierResult(content.classifier.status(), holder),
  }),
  render: ({ tunnel, agents, refused, classifier }) =>
    [
      `tunnel   ${tunnelText(tunnel)}`,
      `agents   ${agents} paired`,
      `refused  ${refused} since the daemon started`,
      `content  ${classifierText(classifier)}`,
    ].join("\n"),
});
