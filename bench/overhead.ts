/** What a command over an open connection takes on top of the driver's own call. */
import { besideDriver, type DriverRow } from "./beside_driver.ts";
import type { Scenario } from "./scenario.ts";

export const MAX_OVERHEAD_MS = 2;

/** @param call The driver's call, as people write it. */
export function overheadScenario(row: Omit<DriverRow, "runs">, call: string): Scenario {
  return {
    group: "connection",
    name: `Open connection: \`${row.command}\` beside the driver`,
    target: `≤ ${MAX_OVERHEAD_MS} ms over \`${call}\``,
    async run(context) {
      const { command, driver } = await besideDriver(context, { ...row, runs: context.runs * 2 });
      return [
        command.figure(`browse ${row.command}`),
        driver.figure(call),
        command.over(driver).figure("over the driver, run by run", { limit: { atMost: MAX_OVERHEAD_MS } }),
      ];
    },
  };
}
