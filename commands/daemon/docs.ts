import * as v from "valibot";
import { allCommands, defineCommand } from "../command.ts";

export default defineCommand({
  name: "docs",
  category: "daemon",
  summary: "Print a machine-readable description of every command",
  scope: "read",
  effect: "none",
  needs: "daemon",
  output: "plain",
  fromPage: "nothing",
  isWhole: true,
  params: v.strictObject({
    openrpc: v.exactOptional(v.pipe(v.boolean(), v.description("The OpenRPC document"))),
  }),
  result: v.strictObject({ document: v.unknown() }),
  examples: ["browse docs", "browse docs --openrpc"],
  run({ daemon }, { openrpc }) {
    if (openrpc) return { document: daemon.openRpc() };
    const commands = allCommands().map(({ name, category, summary, aliases = [], scope, effect, examples }) => {
      return { name, category, summary, aliases: [...aliases], scope, effect, examples: [...examples] };
    });
    return { document: { commands } };
  },
  // The OpenRPC document is for programs, and indented it is over the budget of an answer.
  render: ({ document }, { openrpc }) => JSON.stringify(document, null, openrpc ? 0 : 2),
});
