import { coldStarts } from "../../cold_starts.ts";
import type { Scenario } from "../../scenario.ts";

export const coldStatus: Scenario = {
  group: "cold",
  name: "First command, all cold: `status`, which needs no browser",
  target: "≤ 150 ms",
  run: async (context) => await coldStarts(context, ["status"], 150),
};
