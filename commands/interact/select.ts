import * as v from "valibot";
import { selectOptions } from "../../refs/act/select_option.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { ElementSchema, elementOf, elementText } from "../element.ts";
import { Target } from "../params.ts";

export default defineCommand({
  name: "select",
  category: "interact",
  summary: "Choose options from a list by value, label or text",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({
    target: Target,
    values: v.pipe(
      v.array(v.string()),
      v.minLength(1, "needs at least one option"),
      v.maxLength(1_000),
      v.description("Value, label or text of each option"),
    ),
  }),
  cli: { positional: ["target"], rest: "values" },
  mustBeKept: true,
  result: v.strictObject({ element: ElementSchema, selected: v.array(v.string()) }),
  examples: ["browse select select Large"],
  async run({ tab, signal }, { target, values }) {
    const ref = await resolve(tab, target, { signal });
    const selected = await selectOptions(tab, ref, values, { signal });
    return { selected, element: elementOf(ref) };
  },
  render: ({ element, selected }) =>
    `Selected ${selected.map((label) => `"${label}"`).join(", ")} in ${elementText(element)}`,
});
