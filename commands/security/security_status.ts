import * as v from "valibot";
import { ClassifierSchema, classifierResult, classifierText } from "../classifier_shape.ts";
import { defineCommand } from "../command.ts";
import { TunnelSchema, tunnelText } from "./_tunnel_shape.ts";

export default defineCommand({
  name: "security.status",
  category: "security",
  summary: "Show the security status: tunnel, paired agents, refused calls, content guard",
  scope: "read",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({}),
  result: v.strictObject({
    tunnel: TunnelSchema,
    agents: v.pipe(v.number(), v.description("How many are paired")),
    refused: v.pipe(v.number(), v.description("Since the daemon started")),
    classifier: ClassifierSchema,
    content: v.pipe(
      v.strictObject({ log: v.number(), warn: v.number(), block: v.number() }),
      v.description(
        "Answers by the content guard's verdict, since the daemon started; those that it let pass unseen are not counted",
      ),
    ),
  }),
  examples: ["browse security status"],
  run: ({ daemon: { remote, content, contentFigures }, holder }) => ({
    tunnel: remote.tunnel(),
    agents: remote.agents().length,
    refused: remote.denialCount,
    classifier: classifierResult(content.classifier.status(), holder),
    content: { ...contentFigures },
  }),
  render: ({ tunnel, agents, refused, classifier, content: { log, warn, block } }) =>
    [
      `tunnel   ${tunnelText(tunnel)}`,
      `agents   ${agents} paired`,
      `refused  ${refused} since the daemon started`,
      `content  ${classifierText(classifier)}`,
      `verdicts ${block} withheld, ${warn} with a warning, ${log} noted since the daemon started`,
    ].join("\n"),
});
