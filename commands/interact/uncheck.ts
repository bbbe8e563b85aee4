import * as v from "valibot";
import { setChecked } from "../../refs/act/check.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { elementOf, elementText } from "../element.ts";
import { Target } from "../params.ts";
import { ActedSchema } from "./_acted.ts";

export default defineCommand({
  name: "uncheck",
  category: "interact",
  summary: "Uncheck a checkbox or switch",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ target: Target }),
  cli: { positional: ["target"] },
  result: ActedSchema,
  examples: ["browse uncheck 'role=checkbox'"],
  async run({ tab, signal }, { target }) {
    const ref = await resolve(tab, target, { signal });
    await setChecked(tab, ref, false, { signal });
    return { element: elementOf(ref) };
  },
  render: ({ element }) => `Unchecked ${elementText(element)}`,
});
