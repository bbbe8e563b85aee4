import * as v from "valibot";
import { defineCommand } from "../../command.ts";
import { isSecret } from "../../params.ts";
import { AnsweredSchema, answeredText } from "./_answered_dialog.ts";

export default defineCommand({
  name: "dialog-accept",
  category: "interact",
  summary: "Accept the open dialog, or the next one",
  scope: "write",
  effect: "browser",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  locksTab: false,
  worksInDialog: true,
  params: v.strictObject({
    text: v.exactOptional(
      v.pipe(v.string(), v.maxLength(10_000), v.description("What to type into a prompt"), isSecret()),
    ),
  }),
  cli: { positional: ["text"] },
  result: AnsweredSchema,
  examples: ["browse dialog-accept", "browse dialog-accept yes"],
  async run({ tab }, { text }) {
    const dialog = await tab.dialogs.answer({ accept: true, ...(text === undefined ? {} : { text }) });
    return dialog ? { dialog } : {};
  },
  render: (result) => answeredText(result, "accept"),
});
