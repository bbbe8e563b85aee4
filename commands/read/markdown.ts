import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";
import { readMarkdown } from "./_markdown.ts";

export default defineCommand({
  name: "markdown",
  category: "read",
  summary: "Read the page or an element as Markdown",
  description:
    "Headings, lists, tables, code and links as a person sees them, frames included. Hidden text is left out.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  params: v.strictObject({
    target: v.exactOptional(Target),
    article: v.exactOptional(
      v.pipe(v.boolean(), v.description("Only the main content, without navigation, margins and footers")),
    ),
  }),
  cli: { positional: ["target"] },
  result: v.strictObject({ markdown: v.string() }),
  examples: ["browse markdown", "browse markdown main"],
  async run({ tab, signal }, { target, article = false }) {
    return { markdown: await readMarkdown(tab, target, { article, signal }) };
  },
  render: ({ markdown }) => markdown,
});
