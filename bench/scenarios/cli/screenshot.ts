import { join } from "node:path";
import { measureBesidePeers } from "../../cli_row.ts";
import type { Scenario } from "../../scenario.ts";

const FILE = "picture.png";

export const cliScreenshot: Scenario = {
  group: "cli",
  name: "CLI `screenshot --viewport`",
  target: "≤ agent-browser",
  async run(context) {
    const project = await context.project();
    const url = context.pages.url("form");
    await project.cli("goto", url);
    const path = join(project.dir, FILE);
    return await measureBesidePeers(
      context,
      {
        ours: async (cli) => await cli("screenshot", "--viewport", path),
        async theirs(peer) {
          await peer.run(peer.syntax.goto(url));
          return async () => await peer.run(peer.syntax.screenshot(peer.path(FILE)));
        },
      },
      { "agent-browser": 1 },
    );
  },
};
