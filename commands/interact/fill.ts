import * as v from "valibot";
import { fill } from "../../refs/act/fill.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { elementOf, elementText } from "../element.ts";
import { isSecret, Target } from "../params.ts";
import { ActedSchema } from "./_acted.ts";

export default defineCommand({
  name: "fill",
  category: "interact",
  summary: "Replace a field's value",
  description:
    "An empty value clears the field. The value is never logged or journaled, and told only where the field then holds something else.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({
    target: Target,
    value: v.pipe(
      v.string(),
      v.maxLength(1_000_000),
      v.description("The new value; empty clears the field"),
      isSecret(),
    ),
  }),
  cli: { positional: ["target", "value"], stdin: "value" },
  result: ActedSchema,
  examples: ["browse fill 'input[type=search]' lamp", "browse fill 'input[type=search]' ''"],
  async run({ tab, signal }, { target, value }) {
    const ref = await resolve(tab, target, { signal });
    await fill(tab, ref, value, { signal });
    return { element: elementOf(ref) };
  },
  render: ({ element }) => `Filled ${elementText(element)}`,
});
