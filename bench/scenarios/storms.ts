import { STORM_NAMES } from "../pages/storms.ts";
import type { Figure, Scenario } from "../scenario.ts";
import { measureStorm, type StormFigures } from "../storm.ts";

const STORM_MS = 8_000;

export const storms: Scenario = {
  group: "storms",
  name: "One tab does something without end, beside another",
  target: "`text` of the other tab ≤ 2 × quiet at the median and ≤ 5 × at p99; the tab closes in 2 s; daemon < 300 MB",
  async run(context) {
    const figures: Figure[] = [];
    for (const storm of STORM_NAMES) {
      await using project = context.freshProject();
      await project.cli("start");
      figures.push(...figuresOf(await measureStorm(storm, { project, pages: context.pages, ms: STORM_MS })));
    }
    return figures;
  },
};

function figuresOf({ storm, quiet, busy, closeMs, peakMegabytes }: StormFigures): Figure[] {
  const p99 = busy.quantile(0.99) / quiet.quantile(0.99);
  return [
    { name: `${storm}: median ÷ quiet`, unit: "×", value: busy.median / quiet.median, limit: { atMost: 2 } },
    { name: `${storm}: p99 ÷ quiet`, unit: "×", value: p99, limit: { atMost: 5 } },
    { name: `${storm}: \`closetab\``, unit: "ms", value: closeMs, limit: { atMost: 2_000 } },
    { name: `${storm}: daemon at most`, unit: "MB", value: peakMegabytes, limit: { atMost: 300 } },
  ];
}
