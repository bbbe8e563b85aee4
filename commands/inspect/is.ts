import * as v from "valibot";
import { askAbout } from "../../refs/ask_about.ts";
import type { ElementStatus } from "../../refs/page/protocol.ts";
import { defineCommand, Target } from "../command.ts";

const STATES = ["visible", "hidden", "enabled", "disabled", "checked", "editable", "focused"] as const;

export default defineCommand({
  name: "is",
  category: "inspect",
  summary: "Check an element's state: visible, enabled, checked and so on",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "plain",
  params: v.strictObject({ state: v.picklist(STATES), target: Target }),
  cli: { positional: ["state", "target"] },
  result: v.strictObject({ state: v.picklist(STATES), is: v.boolean() }),
  examples: ["browse is visible @e3", "browse is enabled button"],
  async run({ tab, signal }, { state, target }) {
    const status = await askAbout(tab, target, "status", {}, { signal });
    return { state, is: holds(state, status) };
  },
  render: (result) => String(result.is),
});

function holds(state: (typeof STATES)[number], status: ElementStatus): boolean {
  switch (state) {
    case "hidden":
      return !status.visible;
    case "disabled":
      return !status.enabled;
    case "checked":
      return status.checked === true;
    default:
      return status[state];
  }
}
