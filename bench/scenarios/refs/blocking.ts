import { setTimeout as pause } from "node:timers/promises";
import { Samples } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";
import { statusDelays } from "../../status_probe.ts";

const SNAPSHOTS = 5;
const QUIET_MS = 2_000;
const MAX_BLOCK_MS = 50;

export const refsBlocking: Scenario = {
  group: "refs",
  name: "Daemon delay while 100,000 elements are read",
  target: `never blocked over ${MAX_BLOCK_MS} ms`,
  async run(context) {
    const project = await context.project();
    using connection = await project.connect();
    await connection.call("goto", { url: context.pages.url("document"), wait: "load" });
    await connection.call("snapshot");
    const quiet = new Samples(await statusDelays(project.daemon, async () => await pause(QUIET_MS)));
    const busy = new Samples(
      await statusDelays(project.daemon, async () => {
        for (let taken = 0; taken < SNAPSHOTS; taken++) await connection.call("snapshot");
      }),
    );
    return [
      quiet.figure("`status` when quiet"),
      { name: "longest when quiet", unit: "ms", value: quiet.max },
      busy.figure("`status` meanwhile"),
      { name: "longest meanwhile", unit: "ms", value: busy.max, limit: { atMost: MAX_BLOCK_MS } },
      { name: "largest answer", unit: "bytes", value: connection.largestBytes },
    ];
  },
};
