import * as v from "valibot";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "help",
  category: "daemon",
  summary: "Show all commands, or one of them with its flags and examples",
  scope: "read",
  effect: "none",
  needs: "daemon",
  outsidePolicy: true,
  remote: true,
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({
    command: v.exactOptional(v.pipe(v.string(), v.description("A command; the overview when absent"))),
  }),
  cli: { rest: "command" },
  result: v.strictObject({ text: v.string() }),
  examples: ["browse help", "browse help click", "browse help state save"],
  run({ daemon }, { command: name }) {
    if (name === undefined) return { text: daemon.helpOverview() };
    return { text: daemon.helpFor(name) };
  },
  render: ({ text }) => text,
});
