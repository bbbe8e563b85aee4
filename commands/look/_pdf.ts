/** A tab's page as PDF, printed by Chromium. */

import { abortable } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";

/** Inches. */
export interface PrintOptions {
  width: number;
  height: number;
  margin: { top: number; right: number; bottom: number; left: number };
  /** HTML; its `pageNumber`, `totalPages`, `title`, `url` and `date` classes are filled in. */
  header?: string;
  footer?: string;
  background: boolean;
  /** Bookmarks of the headings. */
  outline: boolean;
  /** Structure for screen readers. */
  tagged: boolean;
  signal: AbortSignal;
}

/** Less than this is left of a page by margins that are too large. Inches. */
const MIN_CONTENT = 0.1;

/** Throws `invalid_params` when the margins leave nothing of the paper. */
export async function printPdf(tab: Tab, options: PrintOptions): Promise<Buffer> {
  const { width, height, margin, header, footer, background, outline, tagged, signal } = options;
  if (width - margin.left - margin.right < MIN_CONTENT || height - margin.top - margin.bottom < MIN_CONTENT) {
    throw new BrowseError("invalid_params", "The margins leave no room on the paper", {
      hint: "Use smaller margins, or larger paper",
    });
  }
  const cdp = await tab.cdp();
  const printing = cdp.send("Page.printToPDF", {
    paperWidth: width,
    paperHeight: height,
    marginTop: margin.top,
    marginRight: margin.right,
    marginBottom: margin.bottom,
    marginLeft: margin.left,
    displayHeaderFooter: header !== undefined || footer !== undefined,
    headerTemplate: boxed(header),
    footerTemplate: boxed(footer),
    printBackground: background,
    generateTaggedPDF: tagged || outline,
    generateDocumentOutline: outline,
    transferMode: "ReturnAsStream",
  });
  const { stream } = await abortable(printing, signal);
  if (stream === undefined) throw new BrowseError("unsupported", "This browser does not print");
  return await readStream(tab, stream, signal);
}

/** Chromium sets these lines in nothing: without a size they are not seen. */
function boxed(html: string | undefined): string {
  return html === undefined
    ? "<span></span>"
    : `<div style="width:100%;padding:0 10mm;font-size:9px;font-family:sans-serif;text-align:center">${html}</div>`;
}

/** Bytes asked for at once. */
const CHUNK_BYTES = 1_000_000;

async function readStream(tab: Tab, handle: string, signal: AbortSignal): Promise<Buffer> {
  const cdp = await tab.cdp();
  const chunks: Buffer[] = [];
  try {
    for (;;) {
      const reading = cdp.send("IO.read", { handle, size: CHUNK_BYTES });
      const { data, base64Encoded, eof } = await abortable(reading, signal);
      chunks.push(Buffer.from(data, base64Encoded ? "base64" : "utf8"));
      if (eof) return Buffer.concat(chunks);
    }
  } finally {
    // The tab may have closed, and the stream with it.
    await cdp.send("IO.close", { handle }).catch(() => undefined);
  }
}
