import * as v from "valibot";
import { recordingsOf } from "../../browser/sessions/recordings.ts";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import { FileName, Force, writesFile } from "../params.ts";

export default defineCommand({
  name: "record.stop",
  category: "look",
  summary: "Stop recording the tab, and write the video",
  description: "Without a path it goes to .browse/artifacts. What cannot be written, as on a full disk, is not lost.",
  scope: "write",
  effect: "disk",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  locksTab: false,
  worksInDialog: true,
  worksInCrash: true,
  timeoutMs: 120_000,
  params: v.strictObject({
    path: v.exactOptional(
      v.pipe(
        FileName,
        v.description("Where to write it: .webm"),
        writesFile({ extensions: [".webm"], isAnswer: true }),
      ),
    ),
    force: Force,
  }),
  cli: { positional: ["path"] },
  result: v.strictObject({
    tab: v.string(),
    path: v.string(),
    bytes: v.number(),
    width: v.number(),
    height: v.number(),
    durationMs: v.number(),
    frames: v.pipe(v.number(), v.description("That differ from the one before")),
    ended: v.exactOptional(v.pipe(v.string(), v.description("Why it ended before stop, when it did"))),
  }),
  examples: ["browse record start", "browse record stop tour.webm"],
  async run(context, { path = artifactPath(context, "record", ".webm") }) {
    const recordings = recordingsOf(context.session);
    const recording = recordings.find(context.tab, context.holder);
    const { data, ...video } = await recordings.finish(recording);
    const bytes = await context.save(path, data);
    recordings.forget(recording);
    return { tab: recording.tab.id, path, bytes, ...video };
  },
  render({ path, width, height, durationMs, ended }) {
    const early = ended === undefined ? "" : `; it ended ${ended}`;
    return `Wrote ${path} (${width}x${height}, ${(durationMs / 1_000).toFixed(1)} s)${early}`;
  },
});
