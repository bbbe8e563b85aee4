import { measureBesidePeers } from "../../cli_row.ts";
import { refIn } from "../../project.ts";
import type { Scenario } from "../../scenario.ts";

export const cliClick: Scenario = {
  group: "cli",
  name: "CLI `click` by ref, all checks on",
  target: "≤ gstack ÷ 1.5; native ≤ 1.3 × agent-browser",
  async run(context) {
    const project = await context.project();
    const url = context.pages.url("form");
    await project.cli("goto", url);
    const ref = refIn(await project.cli("snapshot", "-i"), '[button] "Count"');
    return await measureBesidePeers(
      context,
      {
        ours: async (cli) => await cli("click", ref),
        async theirs(peer) {
          await peer.run(peer.syntax.goto(url));
          const theirRef = peer.syntax.refOf(await peer.run(peer.syntax.snapshot), "Count");
          return async () => await peer.run(peer.syntax.click(theirRef));
        },
      },
      { "gstack browse": 1 / 1.5 },
      { "agent-browser": 1.3 },
    );
  },
};
