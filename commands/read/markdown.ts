import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";
import { tellLeftOut } from "../tell_hidden.ts";
import { readMarkdown } from "./_markdown.ts";
import { filedPdf, PdfParam, pdfAsMarkdown, pdfSyntax, shownPdf } from "./_pdf_text.ts";

export default defineCommand({
  name: "markdown",
  category: "read",
  summary: "Read the page or an element as Markdown",
  description:
    "Headings, lists, tables, code and links as a person sees them, frames included. Hidden text is left out. " +
    "Of a PDF, in the tab or in a file, the text of its pages.",
  scope: "read",
  effect: "none",
  needs: "tab",
  browserless: ({ file }) => file !== undefined,
  remote: true,
  output: "page",
  fromPage: "whole",
  datamark: "markdown",
  params: v.strictObject({
    target: v.exactOptional(Target),
    article: v.exactOptional(
      v.pipe(v.boolean(), v.description("Only the main content, without navigation, margins and footers")),
    ),
    file: PdfParam,
  }),
  exclusive: [
    ["target", "file"],
    ["article", "file"],
  ],
  cli: pdfSyntax,
  result: v.strictObject({ markdown: v.string() }),
  examples: ["browse markdown", "browse markdown main"],
  async run(context, { target, file, article = false }) {
    if (file !== undefined) return { markdown: pdfAsMarkdown(await filedPdf(context, file)) };
    const pdf = target === undefined ? await shownPdf(context) : undefined;
    if (pdf) return { markdown: pdfAsMarkdown(pdf) };
    const { tab, signal } = context;
    return { markdown: await tellLeftOut(context, (on) => readMarkdown(tab, target, { article, signal, ...on })) };
  },
  render: ({ markdown }) => markdown,
});
