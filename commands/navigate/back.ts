import * as v from "valibot";
import { step } from "../../browser/navigation/navigation.ts";
import { NavigationSchema, stepText } from "../arrival.ts";
import { defineCommand } from "../command.ts";

export default defineCommand({
  name: "back",
  category: "navigate",
  summary: "Go back one page in the tab's history",
  scope: "write",
  effect: "navigation",
  leavesPage: true,
  needs: "tab",
  remote: true,
  output: "plain",
  fromPage: "parts",
  timeoutMs: 15_000,
  params: v.strictObject({}),
  result: NavigationSchema,
  examples: ["browse back"],
  async run({ tab, signal, waitsFor }) {
    return await step(tab, "back", { signal, waitsFor });
  },
  render: (result) => stepText("back", result),
});
