import * as v from "valibot";
import { drag } from "../../refs/drag.ts";
import { resolve } from "../../refs/target.ts";
import { defineCommand, Target } from "../command.ts";
import { ElementSchema, elementOf, elementText } from "../element.ts";

export default defineCommand({
  name: "drag",
  category: "interact",
  summary: "Drag one element onto another",
  description: "With the mouse, and with the browser's own drag and drop where the page uses it.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  params: v.strictObject({ target: Target, onto: Target }),
  cli: { positional: ["target", "onto"] },
  result: v.strictObject({ element: ElementSchema, onto: ElementSchema }),
  examples: ["browse drag 'text=/Lamp/' '#cart'"],
  async run({ tab, signal }, { target, onto }) {
    const from = await resolve(tab, target, { signal });
    const to = await resolve(tab, onto, { signal });
    await drag(tab, from, to, { signal });
    return { element: elementOf(from), onto: elementOf(to) };
  },
  render: ({ element, onto }) => `Dragged ${elementText(element)} onto ${elementText(onto)}`,
});
