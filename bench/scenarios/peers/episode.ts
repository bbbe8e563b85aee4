import { type CommandLine, commandLines, figuresOf } from "../../peer_row.ts";
import { inBlocks, type Step } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";

const SHARE = 0.9;

export const peerEpisode: Scenario = {
  group: "peers",
  name: "Ten calls: `goto`, `snapshot -i`, `fill`, `click`, `snapshot -i`, twice",
  target: `native ≤ ${SHARE} × agent-browser`,
  async run(context) {
    const url = context.pages.url("form");
    const tools = Object.entries(await commandLines(context));
    const steps = Object.fromEntries(tools.map(([name, tool]): [string, Step] => [name, () => episode(tool, url)]));
    return figuresOf(await inBlocks(steps, { runs: Math.ceil(context.runs / 2) }), { share: SHARE });
  },
};

async function episode({ syntax, run }: CommandLine, url: string): Promise<void> {
  for (const name of ["Ada", "Grace"]) {
    await run(syntax.goto(url));
    const shown = await run(syntax.snapshot);
    await run(syntax.fill(syntax.refOf(shown, 'textbox "Name"'), name));
    await run(syntax.click(syntax.refOf(shown, 'button "Count"')));
    await run(syntax.snapshot);
  }
}
