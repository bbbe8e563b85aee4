import * as v from "valibot";
import { BrowseError } from "../../rpc/errors.ts";
import { defineCommand, findCommand } from "../command.ts";

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
  params: v.strictObject({ command: v.exactOptional(v.string()) }),
  cli: { positional: ["command"] },
  result: v.strictObject({ text: v.string() }),
  examples: ["browse help", "browse help click"],
  run({ daemon }, { command: name }) {
    if (name === undefined) return { text: daemon.helpOverview() };
    const command = findCommand(name);
    if (!command) throw new BrowseError("unknown_command", `There is no command "${name}"`);
    return { text: daemon.helpFor(command) };
  },
  render: ({ text }) => text,
});
