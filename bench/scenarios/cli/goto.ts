import { measureBesidePeers } from "../../cli_row.ts";
import type { Scenario } from "../../scenario.ts";

export const cliGoto: Scenario = {
  group: "cli",
  name: "CLI `goto`, local page",
  target: "≤ agent-browser",
  async run(context) {
    const url = context.pages.url("form");
    return await measureBesidePeers(
      context,
      {
        ours: async (cli) => await cli("goto", url),
        theirs: async (peer) => async () => await peer.run(peer.syntax.goto(url)),
      },
      { "agent-browser": 1 },
    );
  },
};
