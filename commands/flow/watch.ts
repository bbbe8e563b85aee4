import * as v from "valibot";
import { durationText } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { parseDuration } from "../duration.ts";
import { startWatch, watchOf } from "./_watch.ts";
import { reportEntries, reportLines } from "./_watch_report.ts";

const DEFAULT_EVERY_MS = 5_000;
const MIN_EVERY_MS = 200;
const MAX_EVERY_MS = 3_600_000;

export default defineCommand({
  name: "watch",
  category: "flow",
  summary: "Watch the tab, and report what changed since the last report",
  description:
    "The first call begins. Each further one tells what changed in the meantime, as snapshot -D would, and goes on; " +
    "watch stop tells the rest and ends. Nothing is done to the page, and no command waits for it.",
  scope: "meta",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  locksTab: false,
  worksInDialog: true,
  params: v.strictObject({
    every: v.exactOptional(v.pipe(v.string(), v.description("Time between two looks: 500ms, 5s, 1m (default 5s)"))),
  }),
  result: v.strictObject({
    watching: v.pipe(v.boolean(), v.description("false: the tab is gone")),
    started: v.exactOptional(v.boolean()),
    everyMs: v.number(),
    ...reportEntries,
  }),
  examples: ["browse watch --every 2s", "browse watch"],
  async run({ tab, signal }, { every }) {
    const running = watchOf(tab);
    const everyMs =
      every === undefined ? undefined : parseDuration("--every", every, { min: MIN_EVERY_MS, max: MAX_EVERY_MS });
    await running?.lookNow(signal);
    if (running && everyMs === undefined) {
      return { watching: running.isRunning, everyMs: running.everyMs, looks: running.looks, ...running.take() };
    }
    const started = await startWatch(tab, { everyMs: everyMs ?? DEFAULT_EVERY_MS, signal });
    const untold = running?.take() ?? { entries: [], dropped: 0 };
    return { watching: true, started: true, everyMs: started.everyMs, looks: started.looks, ...untold };
  },
  render({ watching, started, everyMs, ...report }) {
    const lines = reportLines(report);
    if (started)
      lines.push(`Watching every ${durationText(everyMs)}: ask with \`browse watch\`, end with \`browse watch stop\``);
    else if (lines.length === 0) lines.push("Nothing has changed");
    return [...lines, ...(watching ? [] : ["No longer watching"])].join("\n");
  },
});
