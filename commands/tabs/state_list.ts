import * as v from "valibot";
import { counted } from "../../wording.ts";
import { defineCommand } from "../command.ts";
import { EntrySchema } from "./_state_params.ts";

export default defineCommand({
  name: "state.list",
  category: "tabs",
  summary: "List the saved states",
  scope: "control",
  effect: "none",
  needs: "daemon",
  reach: "daemon",
  output: "secret",
  fromPage: "nothing",
  params: v.strictObject({}),
  result: v.strictObject({ states: v.array(EntrySchema) }),
  examples: ["browse state list"],
  run: ({ daemon }) => ({ states: daemon.states.list() }),
  render: ({ states }) => (states.length === 0 ? "No states are saved" : states.map(entryText).join("\n")),
});

function entryText({ name, savedAt, encrypted, bytes }: v.InferOutput<typeof EntrySchema>): string {
  return `${name} ${savedAt || "unreadable"} ${counted(bytes, "byte")}${encrypted ? " encrypted" : ""}`;
}
