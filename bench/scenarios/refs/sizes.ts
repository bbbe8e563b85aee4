import { besideDriver } from "../../beside_driver.ts";
import { ratio } from "../../samples.ts";
import type { Scenario } from "../../scenario.ts";

/** The driver needs seconds for the largest page. */
const SIZES = [
  { page: "elements", elements: 1_000, limitMs: 10, runs: 20, warmUp: 3 },
  { page: "app", elements: 10_000, limitMs: 100, runs: 8, warmUp: 2 },
  { page: "document", elements: 100_000, limitMs: 1_000, runs: 2, warmUp: 1 },
] as const;
const MAX_SHARE = 0.25;

export const refsSizes: Scenario = {
  group: "refs",
  name: "Open connection: `snapshot` of 1,000, 10,000 and 100,000 elements",
  target: `≤ 10, 100, 1,000 ms and ≤ ${MAX_SHARE} × the driver's AI snapshot`,
  async run(context) {
    const figures = [];
    for (const { page, elements, limitMs, runs, warmUp } of SIZES) {
      const { command, driver } = await besideDriver(context, {
        page,
        command: "snapshot",
        driver: async (tab) => await tab.ariaSnapshotJSON({ mode: "ai", timeout: 120_000 }),
        runs,
        warmUp,
      });
      const size = elements.toLocaleString("en");
      figures.push(
        command.figure(`browse, ${size}`, { limit: { atMost: limitMs } }),
        driver.figure(`driver, ${size}`),
        ratio(`browse ÷ driver, ${size}`, command, driver, { atMost: MAX_SHARE }),
      );
    }
    return figures;
  },
};
