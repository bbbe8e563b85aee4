import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { StateName } from "./_state_params.ts";

export default defineCommand({
  name: "state.rm",
  category: "tabs",
  summary: "Remove a saved state",
  scope: "control",
  effect: "disk",
  needs: "daemon",
  reach: "daemon",
  output: "secret",
  fromPage: "nothing",
  params: v.strictObject({ name: StateName }),
  cli: { positional: ["name"] },
  result: v.strictObject({ removed: v.string() }),
  examples: ["browse state save old", "browse state rm old"],
  run({ daemon }, { name }) {
    daemon.states.remove(name);
    return { removed: name };
  },
  render: ({ removed }) => `Removed "${removed}"`,
});
