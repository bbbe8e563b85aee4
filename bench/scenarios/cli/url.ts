import { NATIVE } from "../../cli_row.ts";
import { runProcess } from "../../run_process.ts";
import { alternate, ratio } from "../../samples.ts";
import type { Limit, Scenario } from "../../scenario.ts";

/** What the client may take on top of an empty script by the same Node. */
const MAX_OVER_NODE_MS = 10;

export const cliUrl: Scenario = {
  group: "cli",
  name: "CLI `url`, daemon warm",
  target: "≤ bare `node -e 0` + 10 ms; native ≤ agent-browser",
  async run(context) {
    const project = await context.project();
    await project.cli("goto", context.pages.url("form"));
    const peers = await context.peers();
    const {
      bare,
      browse,
      [NATIVE]: native,
      ...others
    } = await alternate<string>(
      {
        bare: async () => await runProcess([process.execPath, "-e", "0"], { cwd: project.dir }),
        browse: async () => await project.cli("url"),
        ...(project.native && { [NATIVE]: async () => await project.native?.("url") }),
        ...Object.fromEntries(peers.map((peer) => [peer.name, async () => await peer.run(peer.syntax.url)])),
      },
      { runs: context.runs * 2 },
    );
    if (!bare || !browse) throw new Error("Cannot compare: nothing was measured");
    return [
      bare.figure("node -e 0"),
      browse.figure("browse"),
      browse.over(bare).figure("over bare Node, run by run", { limit: { atMost: MAX_OVER_NODE_MS } }),
      ...(native ? [native.figure(NATIVE)] : []),
      ...Object.entries(others).flatMap(([name, samples]) => [
        samples.figure(name),
        ...(native ? [ratio(`${NATIVE} ÷ ${name}`, native, samples, nativeLimit(name))] : []),
      ]),
    ];
  },
};

function nativeLimit(peer: string): Limit | undefined {
  return peer === "agent-browser" ? { atMost: 1 } : undefined;
}
