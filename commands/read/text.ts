import * as v from "valibot";
import { readText } from "../../refs/read/text.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";
import { tellLeftOut } from "../tell_hidden.ts";
import { filedPdf, PdfParam, pdfAsText, pdfSyntax, shownPdf } from "./_pdf_text.ts";

export default defineCommand({
  name: "text",
  category: "read",
  summary: "Read the text a person sees",
  description:
    "The rendered text of the page with its frames, or of one element. Hidden text is left out. " +
    "Of a PDF, in the tab or in a file, the text of its pages.",
  scope: "read",
  effect: "none",
  needs: "tab",
  browserless: ({ file }) => file !== undefined,
  remote: true,
  output: "page",
  fromPage: "whole",
  datamark: "text",
  params: v.strictObject({ target: v.exactOptional(Target), file: PdfParam }),
  exclusive: [["target", "file"]],
  cli: pdfSyntax,
  result: v.strictObject({ text: v.string() }),
  examples: ["browse text", "browse text main", "browse text @e3", "browse text ./receipt.pdf"],
  async run(context, { target, file }) {
    if (file !== undefined) return { text: pdfAsText(await filedPdf(context, file)) };
    const { tab, signal } = context;
    const text = await tellLeftOut(context, (on) => readText(tab, target, { signal, ...on }));
    const pdf = text === "" && target === undefined ? await shownPdf(context) : undefined;
    return { text: pdf ? pdfAsText(pdf) : text };
  },
  render: ({ text }) => text,
});
