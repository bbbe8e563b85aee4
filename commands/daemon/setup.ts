import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { linkNativeClient } from "./_native_client.ts";

/** A download of 200 MB over a slow line. */
const TIMEOUT_MS = 20 * 60_000;

export default defineCommand({
  name: "setup",
  category: "daemon",
  summary: "Find a Chromium for browse, or install one",
  description:
    "Looks for the one in `BROWSE_CHROMIUM`, Playwright's own, and the system's Chrome, Chromium or Edge. When there is none it downloads Playwright's; as root on Debian it falls back to the system's package. With `--native`, typing `browse` runs the native client from then on, where there is one: links on the `PATH` that lead to this installation are changed, or `~/.local/bin/browse` is made.",
  scope: "control",
  effect: "process",
  needs: "daemon",
  output: "plain",
  fromPage: "nothing",
  timeoutMs: TIMEOUT_MS,
  params: v.strictObject({
    native: v.exactOptional(
      v.pipe(v.boolean(), v.description("Use the native client, which starts faster, by typing `browse`")),
    ),
  }),
  result: v.strictObject({
    path: v.string(),
    source: v.picklist(["BROWSE_CHROMIUM", "playwright", "system"]),
    installed: v.pipe(v.boolean(), v.description("It was not there before")),
    native: v.exactOptional(
      v.strictObject({
        program: v.string(),
        links: v.pipe(v.array(v.string()), v.description("The links that lead to it")),
        isOnPath: v.pipe(v.boolean(), v.description("One of them is found by typing `browse`")),
      }),
    ),
  }),
  examples: ["browse setup"],
  async run({ daemon, log, signal }, { native = false }) {
    const client = native ? { native: linkNativeClient() } : {};
    return { ...(await daemon.browser.setUp({ say: (text) => log("warning", text), signal })), ...client };
  },
  render: ({ path, source, installed, native }) =>
    [
      `${installed ? "Installed" : "Found"} ${path} (from ${source})`,
      ...(native ? [`Linked ${native.links.join(", ")} to ${native.program}`] : []),
      ...(native && !native.isOnPath ? ["Add ~/.local/bin to your PATH, before what leads to another browse"] : []),
      "Next: browse goto example.com",
    ].join("\n"),
});
