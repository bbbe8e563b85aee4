import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { defineCommand } from "../command.ts";
import { stopWatch, watchOf } from "./_watch.ts";
import { reportEntries, reportLines } from "./_watch_report.ts";

export default defineCommand({
  name: "watch.stop",
  category: "flow",
  summary: "Report what changed since the last report, and watch the tab no longer",
  scope: "meta",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  locksTab: false,
  worksInDialog: true,
  params: v.strictObject({}),
  result: v.strictObject({ watching: v.literal(false), ...reportEntries }),
  examples: ["browse watch", "browse watch stop"],
  async run({ tab, signal }) {
    await watchOf(tab)?.lookNow(signal);
    const stopped = stopWatch(tab);
    if (stopped) return { watching: false as const, looks: stopped.looks, ...stopped.take() };
    throw new BrowseError("not_found", `Tab ${tab.id} is not watched`, { hint: "Begin with `browse watch`" });
  },
  render(report) {
    const lines = reportLines(report);
    return [...(lines.length === 0 ? ["Nothing has changed"] : lines), "No longer watching"].join("\n");
  },
});
