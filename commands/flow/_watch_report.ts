/** How `watch` tells what it has seen. */
import * as v from "valibot";
import { changeLine } from "../../refs/snapshot/render_diff.ts";
import { ChangeSchema } from "../change_shape.ts";
import type { WatchEntry } from "./_watch.ts";

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

/** What every report has. */
export const reportEntries = {
  looks: v.pipe(v.number(), v.description("How often it has looked so far")),
  entries: v.array(EntrySchema),
  dropped: v.pipe(v.number(), v.description("Older entries that were not kept")),
};

export function reportLines({ entries, dropped }: { entries: readonly WatchEntry[]; dropped: number }): string[] {
  const lines = entries.map(entryText);
  return dropped > 0 ? [`${dropped} older entries were not kept`, ...lines] : lines;
}

function entryText({ time, url, kind, changes = [], problem }: WatchEntry): string {
  const head = `${time} ${kind === "elsewhere" ? `now at ${url}` : kind === "changed" ? `changed at ${url}` : `${kind}: ${problem ?? url}`}`;
  return [head, ...changes.map((change) => `  ${changeLine(change)}`)].join("\n");
}
