import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { readState, SummarySchema, summaryOf, summaryText } from "./_saved_state.ts";
import { StateName } from "./_state_params.ts";

export default defineCommand({
  name: "state.show",
  category: "tabs",
  summary: "Show what a saved state holds, without its values",
  scope: "control",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  output: "secret",
  fromPage: "whole",
  params: v.strictObject({ name: StateName }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    shown: v.strictObject({ name: v.string(), savedAt: v.string(), encrypted: v.boolean(), ...SummarySchema.entries }),
  }),
  examples: ["browse state save shop", "browse state show shop"],
  async run(context, { name }) {
    const { state, ...stored } = await readState(context, name);
    return { shown: { name, ...stored, ...summaryOf(state) } };
  },
  render: ({ shown }) =>
    `"${shown.name}", saved ${shown.savedAt}${shown.encrypted ? ", encrypted" : ""}: ${summaryText(shown)}`,
});
