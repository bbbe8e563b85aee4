import { setTimeout as pause } from "node:timers/promises";
import type { OpenConnection } from "../../connection.ts";
import type { Scenario } from "../../scenario.ts";

const COMMANDS = 10_000;
const WARM_UP = 1_000;
const SETTLE_MS = 3_000;
/** What agents call most. */
const MIX = [
  { method: "url" },
  { method: "snapshot", params: { interactive: true } },
  { method: "text" },
  { method: "is", params: { state: "visible", target: "#count" } },
];

export const memoryGrowth: Scenario = {
  group: "memory",
  name: `Daemon memory after ${COMMANDS.toLocaleString("en")} commands`,
  target: "no growth, ± 5 %",
  async run(context) {
    await using project = context.freshProject();
    await project.cli("goto", context.pages.url("form"));
    await pause(SETTLE_MS);
    const idle = project.daemonMegabytes;
    const connection = await project.connect();
    await runMix(connection, WARM_UP);
    await pause(SETTLE_MS);
    const warm = project.daemonMegabytes;
    await runMix(connection, COMMANDS);
    await pause(SETTLE_MS);
    const after = project.daemonMegabytes;
    return [
      { name: "idle", unit: "MB", value: idle },
      { name: `after ${WARM_UP}`, unit: "MB", value: warm },
      { name: `after ${COMMANDS} more`, unit: "MB", value: after },
      { name: "growth over idle", unit: "×", value: after / idle, limit: { atMost: 1.05 } },
      { name: `growth over the first ${WARM_UP}`, unit: "×", value: after / warm, limit: { atMost: 1.05 } },
    ];
  },
};

async function runMix(connection: OpenConnection, count: number): Promise<void> {
  for (let done = 0; done < count; done += MIX.length) {
    for (const { method, params } of MIX) await connection.call(method, params);
  }
}
