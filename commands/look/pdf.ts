import * as v from "valibot";
import { artifactPath } from "../artifact.ts";
import { defineCommand } from "../command.ts";
import { FileName, Force, readsFile, writesFile } from "../params.ts";
import { printPdf } from "./_pdf.ts";
import { printEntries, printOptions, withFile } from "./_pdf_options.ts";
import { printWithContents } from "./_pdf_toc.ts";

/** What stands over the table of contents. */
const CONTENTS_TITLE = "Contents";

export default defineCommand({
  name: "pdf",
  category: "look",
  summary: "Print the page to PDF",
  description:
    "As the page prints: its print styles apply. Without a path the file goes to .browse/artifacts. --from-file takes the " +
    'same options from a JSON file, by name: {"format": "a4", "pageNumbers": true}.',
  scope: "write",
  effect: "disk",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  timeoutMs: 120_000,
  params: v.strictObject({
    path: v.exactOptional(
      v.pipe(FileName, v.description("Where to write it: .pdf"), writesFile({ extensions: [".pdf"], isAnswer: true })),
    ),
    ...printEntries,
    fromFile: v.exactOptional(
      v.pipe(FileName, v.description("A JSON file with options"), readsFile({ extensions: [".json"] })),
    ),
    force: Force,
  }),
  cli: { positional: ["path"] },
  result: v.strictObject({
    path: v.string(),
    bytes: v.number(),
    paper: v.pipe(v.strictObject({ width: v.number(), height: v.number() }), v.description("Size of a page; inches")),
  }),
  examples: [
    "browse pdf",
    "browse pdf shop.pdf --format a4 --page-numbers --background",
    "browse pdf shop.pdf --width 20cm --height 20cm --margin 5mm --outline",
  ],
  async run(context, { path = artifactPath(context, "page", ".pdf"), fromFile, force: _, ...flags }) {
    const { tab, signal, save } = context;
    const params = await withFile(flags, fromFile);
    const options = { ...printOptions(params), signal };
    const print = async () => await printPdf(tab, options);
    const data = params.toc ? await printWithContents(tab, { title: CONTENTS_TITLE, signal }, print) : await print();
    return { path, bytes: await save(path, data), paper: { width: options.width, height: options.height } };
  },
  render: ({ path, bytes }) => `Wrote ${path} (${bytes} bytes)`,
});
