import * as v from "valibot";
import { askAbout } from "../../refs/read/ask_about.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

export default defineCommand({
  name: "html",
  category: "read",
  summary: "Read the HTML of the page or an element",
  description: "As the page has it, but for passwords and one-time codes, which are masked.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "whole",
  isVerbatim: true,
  params: v.strictObject({
    target: v.exactOptional(Target),
    outer: v.exactOptional(v.pipe(v.boolean(), v.description("Include the element's own tag"))),
  }),
  cli: { positional: ["target"] },
  result: v.strictObject({ html: v.string() }),
  examples: ["browse html", "browse html main --outer"],
  async run({ tab, signal }, { target, outer = false }) {
    const { html } = await askAbout(tab, target, "html", { outer }, { signal });
    return { html };
  },
  render: ({ html }) => html,
});
