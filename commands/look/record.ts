import * as v from "valibot";
import { recordingsOf } from "../../browser/sessions/recordings.ts";
import { BrowseError } from "../../errors.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand, type TabContext } from "../command.ts";
import { FileName, Force, writesFile } from "../params.ts";

export default defineCommand({
  name: "record",
  category: "look",
  summary: "Record a video of the tab: `start`, then `stop <path>`",
  description:
    "A WebM file (VP8), encoded by the browser itself while it runs: no other program is needed. It shows what the tab " +
    "draws, across navigations, for at most 30 minutes or 100 MB. When the tab closes, its video waits for `stop`.",
  scope: "write",
  effect: "disk",
  needs: "tab",
  output: "plain",
  locksTab: false,
  worksInDialog: true,
  timeoutMs: 120_000,
  params: v.strictObject({
    action: v.picklist(["start", "stop"]),
    path: v.exactOptional(
      v.pipe(
        FileName,
        v.description("With stop, where to write it: .webm"),
        writesFile({ extensions: [".webm"], isAnswer: true }),
      ),
    ),
    force: Force,
  }),
  cli: { positional: ["action", "path"] },
  result: v.strictObject({
    tab: v.string(),
    path: v.exactOptional(v.pipe(v.string(), v.description("Absent for start, as all that follows"))),
    bytes: v.exactOptional(v.number()),
    width: v.exactOptional(v.number()),
    height: v.exactOptional(v.number()),
    durationMs: v.exactOptional(v.number()),
    pictures: v.exactOptional(v.pipe(v.number(), v.description("That differ from the one before"))),
    ended: v.exactOptional(v.pipe(v.string(), v.description("Why it ended before stop, when it did"))),
  }),
  examples: ["browse record start", "browse record stop tour.webm"],
  async run(context, { action, path }) {
    const { session, tab, holder, signal } = context;
    if (action === "stop") return await stop(context, path);
    if (path !== undefined) {
      throw new BrowseError("invalid_params", "The path goes with `record stop`", {
        hint: `Run \`browse record start\`, then \`browse record stop ${path}\``,
      });
    }
    await recordingsOf(session).start(tab, holder, signal);
    return { tab: tab.id };
  },
  render({ tab, path, width, height, durationMs = 0, ended }) {
    if (path === undefined) return `Recording ${tab}: end with \`browse record stop\``;
    const early = ended === undefined ? "" : `; it ended ${ended}`;
    return `Wrote ${path} (${width}x${height}, ${(durationMs / 1_000).toFixed(1)} s)${early}`;
  },
});

/** The film is kept until it is written: a full disk does not lose it. */
async function stop(context: TabContext, path = artifactPath(context, "record", ".webm")) {
  const recordings = recordingsOf(context.session);
  const recording = recordings.find(context.tab, context.holder);
  const { data, ...film } = await recording.finish();
  const bytes = await context.save(path, data);
  recordings.forget(recording);
  return { tab: recording.tab.id, path, bytes, ...film };
}
