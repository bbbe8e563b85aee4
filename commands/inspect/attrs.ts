import * as v from "valibot";
import { askAbout } from "../../refs/read/ask_about.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

export default defineCommand({
  name: "attrs",
  category: "inspect",
  summary: "List an element's attributes",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  params: v.strictObject({ target: Target }),
  cli: { positional: ["target"] },
  result: v.strictObject({ attributes: v.record(v.string(), v.string()) }),
  examples: ["browse attrs @e3", "browse attrs 'input[type=search]'"],
  async run({ tab, signal }, { target }) {
    const { attributes } = await askAbout(tab, target, "attributes", {}, { signal });
    return { attributes };
  },
  render({ attributes }) {
    const lines = Object.entries(attributes).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
    return lines.length === 0 ? "No attributes" : lines.join("\n");
  },
});
