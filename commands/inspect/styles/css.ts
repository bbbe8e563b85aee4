import * as v from "valibot";
import { BrowseError } from "../../../errors.ts";
import { askAbout } from "../../../refs/read/ask_about.ts";
import { defineCommand } from "../../command.ts";
import { Target } from "../../params.ts";

export default defineCommand({
  name: "css",
  category: "inspect",
  summary: "Show an element's computed style",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  params: v.strictObject({
    target: Target,
    property: v.exactOptional(
      v.pipe(
        v.string(),
        v.regex(/^-{0,2}[a-z][a-z0-9-]*$/i, "is not a CSS property name"),
        v.description("One property; all when absent"),
      ),
    ),
  }),
  cli: { positional: ["target", "property"] },
  result: v.strictObject({ style: v.record(v.string(), v.string()) }),
  examples: ["browse css @e3 color", "browse css body"],
  async run({ tab, signal }, { target, property }) {
    const { style } = await askAbout(tab, target, "style", property ? { property } : {}, { signal });
    if (property !== undefined && style[property] === undefined) {
      throw new BrowseError("invalid_params", `There is no CSS property "${property}"`, {
        hint: "Leave it out to see the telling ones with their names",
      });
    }
    return { style };
  },
  render({ style }, { property }) {
    if (property) return style[property] ?? "";
    return Object.entries(style)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n");
  },
});
