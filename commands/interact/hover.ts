import * as v from "valibot";
import { hover } from "../../refs/act/click.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { elementOf, elementText } from "../element.ts";
import { Target } from "../params.ts";
import { ActedSchema } from "./_acted.ts";

export default defineCommand({
  name: "hover",
  category: "interact",
  summary: "Move the mouse over an element",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ target: Target }),
  cli: { positional: ["target"] },
  result: ActedSchema,
  examples: ["browse hover @e3"],
  async run({ tab, signal }, { target }) {
    const ref = await resolve(tab, target, { signal });
    await hover(tab, ref, { signal });
    return { element: elementOf(ref) };
  },
  render: ({ element }) => `Hovered ${elementText(element)}`,
});
