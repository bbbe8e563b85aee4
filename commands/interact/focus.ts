import * as v from "valibot";
import { focus } from "../../refs/act/focus.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { elementOf, elementText } from "../element.ts";
import { Target } from "../params.ts";
import { ActedSchema } from "./_acted.ts";

export default defineCommand({
  name: "focus",
  category: "interact",
  summary: "Give an element the keyboard focus",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({ target: Target }),
  cli: { positional: ["target"] },
  result: ActedSchema,
  examples: ["browse focus 'input[type=search]'"],
  async run({ tab, signal }, { target }) {
    const ref = await resolve(tab, target, { signal });
    await focus(tab, ref, { signal });
    return { element: elementOf(ref) };
  },
  render: ({ element }) => `Focused ${elementText(element)}`,
});
