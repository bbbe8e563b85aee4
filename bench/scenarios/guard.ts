import { join } from "node:path";
import type { GuardFigures } from "../guard/measure.ts";
import { runProcess } from "../run_process.ts";
import { Samples } from "../samples.ts";
import type { Scenario } from "../scenario.ts";

const MEASURE = join(import.meta.dirname, "../guard/measure.ts");
const TEXTS = 200;
const CHARACTERS = 4_096;

export const guard: Scenario = {
  group: "guard",
  name: "Content classifier",
  target: "4 kB of text: p95 ≤ 50 ms, the event loop away ≤ 5 ms; the process grows by ≤ 80 MB",
  async run() {
    const output = await runProcess([process.execPath, MEASURE, String(TEXTS), String(CHARACTERS)], {
      cwd: import.meta.dirname,
    });
    const { firstMs, scoreMs, busyMs, grownMB } = JSON.parse(output) as GuardFigures;
    const [scores, busy] = [new Samples(scoreMs), new Samples(busyMs)];
    return [
      scores.figure("4 kB"),
      { name: "4 kB, p95", unit: "ms", value: scores.quantile(0.95), limit: { atMost: 50 } },
      { name: "event loop busy, p95", unit: "ms", value: busy.quantile(0.95), limit: { atMost: 5 } },
      { name: "first text, models loaded", unit: "ms", value: firstMs },
      { name: "memory", unit: "MB", value: grownMB, limit: { atMost: 80 } },
    ];
  },
};
