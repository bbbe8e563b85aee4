import * as v from "valibot";
import type { EffectReport } from "../../browser/effect_report.ts";
import { clickElement } from "../../refs/act/click.ts";
import { resolve } from "../../refs/find/target.ts";
import { defineCommand } from "../command.ts";
import { elementOf, elementText } from "../element.ts";
import { Target } from "../params.ts";
import { ActedSchema } from "./_acted.ts";

export default defineCommand({
  name: "click",
  category: "interact",
  summary: "Click an element",
  description:
    "Refuses an element that is hidden, disabled, covered or gone, and names what is in the way. " +
    "The answer says what the click did.",
  scope: "write",
  effect: "page",
  needs: "tab",
  remote: true,
  output: "page",
  fromPage: "parts",
  params: v.strictObject({
    target: Target,
    double: v.exactOptional(v.pipe(v.boolean(), v.description("Double-click"))),
    right: v.exactOptional(v.pipe(v.boolean(), v.description("Click with the right button"))),
    newTab: v.exactOptional(v.pipe(v.boolean(), v.description("Open the link in a new tab"))),
    modifiers: v.exactOptional(
      v.pipe(
        v.array(v.picklist(["Alt", "Control", "Meta", "Shift"])),
        v.description("Keys to hold down during the click; repeatable"),
      ),
    ),
  }),
  cli: { positional: ["target"] },
  result: ActedSchema,
  examples: [
    "browse click @e3",
    "browse click 'role=button[name=\"Add to cart\"]'",
    "browse click @e3 --modifiers Shift",
  ],
  async run({ tab, signal }, { target, double, right, newTab, modifiers = [] }) {
    const ref = await resolve(tab, target, { signal });
    await clickElement(tab, ref, {
      signal,
      button: right ? "right" : "left",
      clickCount: double ? 2 : 1,
      modifiers: newTab ? [...modifiers, process.platform === "darwin" ? "Meta" : "Control"] : modifiers,
    });
    return { element: elementOf(ref) };
  },
  render({ element }, { newTab }, effect) {
    const opensNone = newTab && effect && !effect.unsettled && !hasAskedForTab(effect);
    return `Clicked ${elementText(element)}${opensNone ? ", which opened no tab" : ""}`;
  },
});

function hasAskedForTab({ opened, opening, closedAgain, emptyAnswers, downloads }: EffectReport): boolean {
  return [opened, opening, closedAgain, emptyAnswers, downloads].some((part) => part !== undefined);
}
