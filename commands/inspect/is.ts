import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import type { ElementStatus } from "../../refs/page/protocol.ts";
import { askAbout } from "../../refs/read/ask_about.ts";
import { defineCommand } from "../command.ts";
import { Target } from "../params.ts";

const STATES = ["visible", "hidden", "enabled", "disabled", "checked", "editable", "focused"] as const;

export default defineCommand({
  name: "is",
  category: "inspect",
  summary: "Check an element's state: visible, enabled, checked and so on",
  description: "A selector that matches nothing is not visible, and hidden; every other state needs an element.",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "plain",
  fromPage: "nothing",
  params: v.strictObject({ state: v.pipe(v.picklist(STATES), v.description("The state to check")), target: Target }),
  cli: { positional: ["state", "target"] },
  result: v.strictObject({
    state: v.picklist(STATES),
    is: v.boolean(),
    missing: v.exactOptional(v.pipe(v.boolean(), v.description("Nothing matches: it is not visible, and hidden"))),
  }),
  examples: ["browse is visible @e3", "browse is enabled button"],
  async run({ tab, signal, log }, { state, target }) {
    try {
      return { state, is: holds(state, await askAbout(tab, target, "status", {}, { signal })) };
    } catch (error) {
      const isMissing = error instanceof BrowseError && error.kind === "not_found";
      if (!isMissing || (state !== "visible" && state !== "hidden")) throw error;
      if (error.data.elsewhere !== undefined) log("warning", error.hint);
      return { state, is: state === "hidden", missing: true };
    }
  },
  render: (result) => `${result.is}${result.missing ? " (nothing matches)" : ""}`,
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
