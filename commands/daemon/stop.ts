import * as v from "valibot";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "stop",
  category: "daemon",
  summary: "Stop the daemon and its browser",
  description: "Tabs, logins and storage of the daemon's sessions end with it.",
  scope: "control",
  effect: "process",
  needs: "daemon",
  reach: "daemon",
  outsidePolicy: true,
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({}),
  result: v.strictObject({
    pid: v.pipe(v.nullable(v.number()), v.description("Null when there was no daemon")),
    killed: v.exactOptional(v.pipe(v.literal(true), v.description("It did not answer, or did not end by itself"))),
  }),
  examples: ["browse stop"],
  run({ daemon }) {
    daemon.stop();
    return { pid: daemon.status().pid };
  },
  render: ({ pid }) => `Stopped the daemon (pid ${pid})`,
});
