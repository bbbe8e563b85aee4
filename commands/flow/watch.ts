import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { changeLine } from "../../refs/snapshot/render_diff.ts";
import { ChangeSchema } from "../change_shape.ts";
import { defineCommand } from "../command.ts";
import { durationText, parseDuration } from "../duration.ts";
import { startWatch, stopWatch, type WatchEntry, watchOf } from "./_watch.ts";

const EntrySchema = v.strictObject({
  time: v.string(),
  url: v.string(),
  kind: v.pipe(
    v.picklist(["changed", "elsewhere", "problem", "ended"]),
    v.description("elsewhere: another page; problem: it could not be read; ended: the tab is gone"),
  ),
  changes: v.exactOptional(v.array(ChangeSchema)),
  problem: v.exactOptional(v.string()),
});

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
  locksTab: false,
  worksInDialog: true,
  params: v.strictObject({
    action: v.exactOptional(v.picklist(["stop"])),
    every: v.exactOptional(v.pipe(v.string(), v.description("Time between two looks: 500ms, 5s, 1m (default 5s)"))),
  }),
  cli: { positional: ["action"] },
  result: v.strictObject({
    watching: v.boolean(),
    started: v.exactOptional(v.boolean()),
    everyMs: v.exactOptional(v.number()),
    looks: v.pipe(v.number(), v.description("How often it has looked so far")),
    entries: v.array(EntrySchema),
    dropped: v.pipe(v.number(), v.description("Older entries that were not kept")),
  }),
  examples: ["browse watch --every 2s", "browse watch", "browse watch stop"],
  async run({ tab, signal }, { action, every }) {
    const running = watchOf(tab);
    if (action === "stop") {
      if (every !== undefined) throw new BrowseError("invalid_params", "--every is for starting");
      const stopped = stopWatch(tab);
      if (stopped) return { watching: false, looks: stopped.looks, ...stopped.take() };
      throw new BrowseError("not_found", `Tab ${tab.id} is not watched`, { hint: "Begin with `browse watch`" });
    }
    const everyMs =
      every === undefined ? undefined : parseDuration("--every", every, { min: MIN_EVERY_MS, max: MAX_EVERY_MS });
    if (running && everyMs === undefined) {
      return { watching: running.isRunning, everyMs: running.everyMs, looks: running.looks, ...running.take() };
    }
    const started = await startWatch(tab, { everyMs: everyMs ?? DEFAULT_EVERY_MS, signal });
    const untold = running?.take() ?? { entries: [], dropped: 0 };
    return { watching: true, started: true, everyMs: started.everyMs, looks: started.looks, ...untold };
  },
  render({ watching, started, everyMs = 0, entries, dropped }) {
    const lines = entries.map(entryText);
    if (dropped > 0) lines.unshift(`${dropped} older entries were not kept`);
    if (started)
      lines.push(`Watching every ${durationText(everyMs)}: ask with \`browse watch\`, end with \`browse watch stop\``);
    else if (lines.length === 0) lines.push("Nothing has changed");
    return [...lines, ...(watching ? [] : ["No longer watching"])].join("\n");
  },
});

function entryText({ time, url, kind, changes = [], problem }: WatchEntry): string {
  const head = `${time} ${kind === "elsewhere" ? `now at ${url}` : kind === "changed" ? `changed at ${url}` : `${kind}: ${problem ?? url}`}`;
  return [head, ...changes.map((change) => `  ${changeLine(change)}`)].join("\n");
}
