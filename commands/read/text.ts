import * as v from "valibot";
import { readText } from "../../refs/read/text.ts";
import { countOf, type HiddenTexts } from "../../security/content/hidden_text.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";
import { tellHidden } from "../tell_hidden.ts";
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
    let leftOut = 0;
    const text = await tellHidden(context, (onHidden) => {
      const count = (hidden: HiddenTexts) => {
        leftOut += countOf(hidden);
        onHidden(hidden);
      };
      return readText(tab, target, { signal, onHidden: count });
    });
    if (text === "" && leftOut > 0) {
      context.log(
        "warning",
        "All text there is such that nobody can see it, and is left out: `browse snapshot` has it",
      );
    }
    const pdf = text === "" && target === undefined ? await shownPdf(context) : undefined;
    return { text: pdf ? pdfAsText(pdf) : text };
  },
  render: ({ text }) => text,
});
