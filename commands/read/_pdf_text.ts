/** What `text` and `markdown` have in common where they read a PDF: one that the tab shows, or a file. */
import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { withDownload } from "../../browser/download/fetch_file.ts";
import { isInline, readInline } from "../../browser/download/inline_file.ts";
import { type ReceivedFile, tooLarge } from "../../browser/download/received_file.ts";
import { showsPdf } from "../../refs/snapshot/pdf_viewer.ts";
import type { CliSyntax } from "../command.ts";
import type { BaseContext, TabContext } from "../context.ts";
import { FileName, readsFile } from "../params.ts";
import { type PdfText, readPdf } from "./_pdf.ts";

/** It is held in memory. */
const MAX_BYTES = 50_000_000;

export const PdfParam = v.exactOptional(
  v.pipe(FileName, v.description("Read this PDF instead of the page: .pdf"), readsFile({ extensions: [".pdf"] })),
);

/** No selector looks like a path to a PDF. */
const PATH = /^(?:file:|[^[\]"'=]*\/)[^[\]"'=]*\.pdf$/i;

export const pdfSyntax: CliSyntax = {
  positional: ["target"],
  place(words) {
    const [word, ...others] = words;
    return word !== undefined && others.length === 0 && PATH.test(word)
      ? { file: word.replace(/^file:(?:\/\/)?/i, "") }
      : undefined;
  },
};

/** Throws what `readPdf` throws, and `too_large`. */
export async function filedPdf({ signal }: Pick<BaseContext, "signal">, path: string): Promise<PdfText> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw tooLarge(MAX_BYTES, size);
  return await readPdf(await readFile(path, { signal }), signal);
}

/** Undefined where the tab shows something else. Asks the server for the file again. */
export async function shownPdf(context: TabContext): Promise<PdfText | undefined> {
  const { frame, signal } = context;
  if (!(await showsPdf(frame, signal))) return undefined;
  const url = context.checkUrl(frame.url());
  if (url.startsWith("file:")) return await filedPdf(context, fileURLToPath(url));
  const { checkHop } = context;
  const transfer = { checkHop, maxBytes: MAX_BYTES, signal };
  if (isInline(url)) return await readPdf(await bytesOf(await readInline(frame, url, transfer)), signal);
  return await context.session.inThrowAwayTab(
    context,
    async (tab) =>
      await withDownload(tab, url, { ...transfer, as: "file" }, async (file) => readPdf(await bytesOf(file), signal)),
  );
}

async function bytesOf({ content }: ReceivedFile): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export function pdfAsText({ pages }: PdfText): string {
  return pages.map((text, index) => `[page ${index + 1} of ${pages.length}]\n${said(text)}`).join("\n\n");
}

export function pdfAsMarkdown({ title, pages }: PdfText): string {
  const parts = pages.map((text, index) => `## Page ${index + 1} of ${pages.length}\n\n${said(text)}`);
  return [...(title ? [`# ${title}`] : []), ...parts].join("\n\n");
}

function said(text: string): string {
  return text.trim() || "(no text on this page)";
}
