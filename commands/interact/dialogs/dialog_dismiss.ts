import * as v from "valibot";
import { defineCommand } from "../../command.ts";
import { AnsweredSchema, answeredText } from "./_answered_dialog.ts";

export default defineCommand({
  name: "dialog-dismiss",
  category: "interact",
  summary: "Dismiss the open dialog, or the next one",
  scope: "write",
  effect: "browser",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  locksTab: false,
  worksInDialog: true,
  params: v.strictObject({}),
  result: AnsweredSchema,
  examples: ["browse dialog-dismiss"],
  async run({ tab }) {
    const dialog = await tab.dialogs.answer({ accept: false });
    return dialog ? { dialog } : {};
  },
  render: (result) => answeredText(result, "dismiss"),
});
