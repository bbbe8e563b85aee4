import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { LoadedSchema, loadedText, loadState } from "./_saved_state.ts";
import { STATE_TIMEOUT_MS, StateName } from "./_state_params.ts";

export default defineCommand({
  name: "state.load",
  category: "tabs",
  summary: "Replace what the session holds by a saved state",
  description: "Everything the session holds is replaced, or nothing is changed when it fails.",
  scope: "control",
  effect: "browser",
  needs: "session",
  reach: "tabs",
  locksSession: true,
  output: "secret",
  fromPage: "nothing",
  timeoutMs: STATE_TIMEOUT_MS,
  params: v.strictObject({ name: StateName }),
  cli: { positional: ["name"] },
  result: v.strictObject({ loaded: v.strictObject({ name: v.string(), ...LoadedSchema.entries }) }),
  examples: ["browse state save shop", "browse state load shop --session copy"],
  run: async (context, { name }) => ({ loaded: { name, ...(await loadState(context, context.session, name)) } }),
  render: ({ loaded }) => `Loaded "${loaded.name}": ${loadedText(loaded)}`,
});
