import { measureBesidePeers } from "../../cli_row.ts";
import type { Scenario } from "../../scenario.ts";

export const cliSnapshot: Scenario = {
  group: "cli",
  name: "CLI `snapshot -i`, 200 links",
  target: "≤ 0.6 × agent-browser",
  async run(context) {
    const project = await context.project();
    const url = context.pages.url("links");
    await project.cli("goto", url);
    return await measureBesidePeers(
      context,
      {
        ours: async (cli) => await cli("snapshot", "-i"),
        async theirs(peer) {
          await peer.run(peer.syntax.goto(url));
          return async () => await peer.run(peer.syntax.snapshot);
        },
      },
      { "agent-browser": 0.6 },
    );
  },
};
