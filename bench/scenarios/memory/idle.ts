import { setTimeout as pause } from "node:timers/promises";
import type { Scenario } from "../../scenario.ts";

/** For what a start leaves behind to be collected. */
const SETTLE_MS = 3_000;

export const memoryIdle: Scenario = {
  group: "memory",
  name: "Daemon memory, idle",
  target: "≤ 120 MB resident",
  async run(context) {
    await using project = context.freshProject();
    await project.cli("status");
    await pause(SETTLE_MS);
    const without = project.daemonMegabytes;
    await project.cli("goto", context.pages.url("form"));
    await pause(SETTLE_MS);
    const limit = { atMost: 120 };
    return [
      { name: "before there is a browser", unit: "MB", value: without, limit },
      { name: "with a page open", unit: "MB", value: project.daemonMegabytes, limit },
    ];
  },
};
