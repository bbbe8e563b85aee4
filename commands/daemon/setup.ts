import * as v from "valibot";
import { defineCommand } from "../command.ts";

/** A download of 200 MB over a slow line. */
const TIMEOUT_MS = 20 * 60_000;

export default defineCommand({
  name: "setup",
  category: "daemon",
  summary: "Find a Chromium for browse, or install one",
  description:
    "Looks for the one in `BROWSE_CHROMIUM`, Playwright's own, and the system's Chrome, Chromium or Edge. When there is none it downloads Playwright's; as root on Debian it falls back to the system's package.",
  scope: "control",
  effect: "process",
  needs: "daemon",
  output: "plain",
  timeoutMs: TIMEOUT_MS,
  params: v.strictObject({}),
  result: v.strictObject({
    path: v.string(),
    source: v.picklist(["BROWSE_CHROMIUM", "playwright", "system"]),
    installed: v.pipe(v.boolean(), v.description("It was not there before")),
  }),
  examples: ["browse setup"],
  run: async ({ daemon, log, signal }) => await daemon.browser.setUp({ say: (text) => log("warning", text), signal }),
  render: ({ path, source, installed }) =>
    `${installed ? "Installed" : "Found"} ${path} (from ${source})\nNext: browse goto example.com`,
});
