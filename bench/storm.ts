/** One storm in one tab, and what the others notice of it. */
import { setTimeout as pause } from "node:timers/promises";
import type { PageServer } from "./pages/serve.ts";
import type { StormName } from "./pages/storms.ts";
import type { BenchProject } from "./project.ts";
import { Samples, timed } from "./samples.ts";
import { commandDelays } from "./status_probe.ts";

export interface StormFigures {
  storm: StormName;
  /** Of `text` in another tab, before and meanwhile. */
  quiet: Samples;
  busy: Samples;
  /** Until `closetab` of the tab in the storm has answered. */
  closeMs: number;
  /** The most that the daemon had. */
  peakMegabytes: number;
  /** Tabs that were open when it was closed. */
  tabs: number;
}

interface StormOptions {
  project: BenchProject;
  pages: PageServer;
  /** How long it lasts. */
  ms: number;
}

const QUIET_MS = 2_000;
const LOOK_EVERY_MS = 100;
/** A page that says nothing is not waited for longer. */
const ARRIVAL_MS = 3_000;

/** Opens the storm beside another tab, lets it rage, and closes its tab. */
export async function measureStorm(storm: StormName, { project, pages, ms }: StormOptions): Promise<StormFigures> {
  using connection = await project.connect();
  const { id: other } = await connection.call("newtab", { url: pages.url("form") });
  const quiet = new Samples(await commandDelays(project.daemon, { tab: other }, async () => await pause(QUIET_MS)));
  const { id: tab } = await connection.call("newtab", {});
  let peakMegabytes = 0;
  const watch = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, project.daemonMegabytes);
  }, LOOK_EVERY_MS);
  try {
    const busy = await commandDelays(project.daemon, { tab: other }, async () => {
      const params = { url: pages.url(`storm-${storm}`), tab, timeoutMs: ARRIVAL_MS };
      // Some are too busy to arrive.
      await Promise.all([connection.call("goto", params).catch(() => undefined), pause(ms)]);
    });
    const { tabs } = (await connection.call("tabs")) as { tabs: unknown[] };
    const closeMs = await timed(async () => await connection.call("closetab", { id: tab }));
    return { storm, quiet, busy: new Samples(busy), closeMs, peakMegabytes, tabs: tabs.length };
  } finally {
    clearInterval(watch);
  }
}
