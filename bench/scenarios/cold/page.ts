import { coldStarts } from "../../cold_starts.ts";
import type { Scenario } from "../../scenario.ts";

export const coldPage: Scenario = {
  group: "cold",
  name: "First command, all cold: `goto` a local page",
  target: "≤ 1,200 ms",
  run: async (context) => await coldStarts(context, ["goto", context.pages.url("form")], 1_200),
};
