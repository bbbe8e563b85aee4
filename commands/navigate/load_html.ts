import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { inNewDaemon } from "../../security/process/new_setting.ts";
import { counted } from "../../wording.ts";
import { NavigationSchema, WaitParam } from "../arrival.ts";
import { defineCommand } from "../command.ts";
import type { BaseContext } from "../context.ts";
import { FileName, isSecret, readsFile } from "../params.ts";
import { loadHtml } from "./_load_html.ts";

export default defineCommand({
  name: "load-html",
  category: "navigate",
  summary: "Show an HTML, XHTML or SVG document from a file or from standard input",
  description:
    "The document gets an address of its own, shares no origin with any site, and is kept until the next goto or load-html: reload, " +
    "back and a rebuild of the session find it again. It is never part of a saved state.",
  aliases: ["set-content", "setcontent"],
  scope: "write",
  effect: "page",
  needs: "tab",
  output: "plain",
  fromPage: "parts",
  revivesTab: true,
  params: v.strictObject({
    file: v.exactOptional(
      v.pipe(
        FileName,
        v.description("The document: .html, .htm, .xhtml or .svg"),
        readsFile({ extensions: [".html", ".htm", ".xhtml", ".svg"] }),
      ),
    ),
    html: v.exactOptional(
      v.pipe(v.string(), v.description("The document itself; - reads it from standard input"), isSecret()),
    ),
    wait: WaitParam,
  }),
  cli: { positional: ["file"], stdin: "html" },
  result: v.strictObject({ ...NavigationSchema.entries, bytes: v.number() }),
  examples: ["browse load-html receipt.html", "browse load-html --html '<h1>Hello</h1>'"],
  async run({ tab, signal, daemon }, { file, html, wait = "dom" }) {
    if ((file === undefined) === (html === undefined)) {
      throw new BrowseError("invalid_params", '"load-html" takes a file, or - and HTML on standard input');
    }
    const body = file === undefined ? Buffer.from(html ?? "") : await contentOf(file, daemon, signal);
    assertSize(body.length, daemon);
    const fileName = file === undefined ? "page.html" : basename(file);
    return { ...(await loadHtml(tab, body, { fileName, wait, signal })), bytes: body.length };
  },
  render: ({ bytes }) => `Loaded ${counted(bytes, "byte")}`,
});

type Daemon = BaseContext["daemon"];

async function contentOf(file: string, daemon: Daemon, signal: AbortSignal): Promise<Buffer> {
  assertSize((await stat(file)).size, daemon);
  return await readFile(file, { signal });
}

function assertSize(bytes: number, { maxHtmlBytes }: Daemon): void {
  if (bytes <= maxHtmlBytes) return;
  throw new BrowseError("too_large", `The document has ${bytes} bytes, over the ${maxHtmlBytes} that are shown`, {
    hint: inNewDaemon("Shorten it, or set BROWSE_MAX_HTML_BYTES to more bytes"),
    details: { bytes, maxBytes: maxHtmlBytes },
  });
}
