import * as v from "valibot";
import { recordingsOf } from "../../browser/sessions/recordings.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "record.start",
  category: "look",
  summary: "Start recording a video of the tab",
  description:
    "A WebM file (VP8), encoded by the browser itself while it runs: no other program is needed. It shows what the tab " +
    "draws, across navigations, for at most 30 minutes or 100 MB. When the tab closes, its video waits for `record stop`.",
  scope: "write",
  effect: "disk",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  locksTab: false,
  worksInDialog: true,
  params: v.strictObject({}),
  result: v.strictObject({ tab: v.string() }),
  examples: ["browse record start"],
  async run({ session, tab, holder, signal }) {
    await recordingsOf(session).start(tab, holder, signal);
    return { tab: tab.id };
  },
  render: ({ tab }) => `Recording ${tab}: end with \`browse record stop\``,
});
