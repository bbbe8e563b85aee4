import * as v from "valibot";
import { readText } from "../../refs/read/text.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

export default defineCommand({
  name: "text",
  category: "read",
  summary: "Read the text a person sees",
  description: "The rendered text of the page with its frames, or of one element. Hidden text is left out.",
  scope: "read",
  effect: "none",
  needs: "tab",
  remote: true,
  output: "page",
  params: v.strictObject({ target: v.exactOptional(Target) }),
  cli: { positional: ["target"] },
  result: v.strictObject({ text: v.string() }),
  examples: ["browse text", "browse text main", "browse text @e3"],
  async run({ tab, signal }, { target }) {
    return { text: await readText(tab, target, { signal }) };
  },
  render: ({ text }) => text,
});
