import * as v from "valibot";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import { FileName, Force, writesFile } from "../params.ts";

export default defineCommand({
  name: "archive",
  category: "extract",
  summary: "Save the page as it is now in one file (MHTML), with its images, styles and frames",
  description: "Chromium can open it, without scripts: `browse goto file:page.mhtml`.",
  scope: "write",
  effect: "disk",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  timeoutMs: 60_000,
  params: v.strictObject({
    path: v.exactOptional(
      v.pipe(
        FileName,
        v.description("Where to write it: .mhtml or .mht"),
        writesFile({ extensions: [".mhtml", ".mht"], isAnswer: true }),
      ),
    ),
    force: Force,
  }),
  cli: { positional: ["path"] },
  result: v.strictObject({ path: v.string(), bytes: v.number(), url: v.string() }),
  examples: ["browse archive", "browse archive shop.mhtml"],
  async run(context, { path = artifactPath(context, "page", ".mhtml") }) {
    const url = context.tab.url;
    const cdp = await context.tab.cdp();
    const { data } = await cdp.send("Page.captureSnapshot", { format: "mhtml" });
    return { path, bytes: await context.save(path, data), url };
  },
  render: ({ path, bytes }) => `Wrote ${path} (${bytes} bytes)`,
});
