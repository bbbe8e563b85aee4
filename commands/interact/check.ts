import * as v from "valibot";
import { setChecked } from "../../refs/act/check.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { elementOf, elementText } from "../element.ts";
import { Target } from "../params.ts";
import { CheckedSchema } from "./_acted.ts";

export default defineCommand({
  name: "check",
  category: "interact",
  summary: "Check a checkbox, radio or switch",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ target: Target }),
  cli: { positional: ["target"] },
  mustBeKept: true,
  result: CheckedSchema,
  examples: ["browse check 'role=checkbox'"],
  async run({ tab, signal }, { target }) {
    const ref = await resolve(tab, target, { signal });
    const isChange = await setChecked(tab, ref, true, { signal });
    return { element: elementOf(ref), ...(!isChange && { already: true as const }) };
  },
  render: ({ element, already }) =>
    already ? `${elementText(element)} is checked already` : `Checked ${elementText(element)}`,
});
