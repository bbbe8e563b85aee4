import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { askAbout } from "../../refs/read/ask_about.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

export default defineCommand({
  name: "value",
  category: "inspect",
  summary: "Print a field's current value",
  description: "Passwords and one-time codes are masked.",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "whole",
  params: v.strictObject({ target: Target }),
  cli: { positional: ["target"] },
  result: v.strictObject({ value: v.union([v.string(), v.array(v.string())]), masked: v.boolean() }),
  examples: ["browse value 'input[type=search]'"],
  async run({ tab, signal }, { target }) {
    const { value, masked } = await askAbout(tab, target, "value", {}, { signal });
    if (value === null) {
      throw new BrowseError("invalid_params", `"${target}" is not a field and has no value`, {
        hint: "Use `browse text` to read an element's text",
      });
    }
    return { value, masked };
  },
  render: ({ value }) => (Array.isArray(value) ? value.join("\n") : value),
});
