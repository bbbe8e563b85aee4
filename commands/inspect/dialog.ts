import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { DialogSchema } from "../effect.ts";
import { dialogText } from "../effect_text.ts";

export default defineCommand({
  name: "dialog",
  category: "inspect",
  summary: "Show the dialogs that the page opened and how they were answered",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  locksTab: false,
  worksInDialog: true,
  params: v.strictObject({
    clear: v.exactOptional(v.pipe(v.boolean(), v.description("Clear the list after showing it"))),
  }),
  result: v.strictObject({ dialogs: v.array(DialogSchema) }),
  examples: ["browse dialog"],
  run({ capture }, { clear }) {
    const ring = capture.dialogs;
    const dialogs = ring.since(0).map(({ value }) => ({ ...value }));
    if (clear) ring.clear();
    return { dialogs };
  },
  render({ dialogs }) {
    return dialogs.length === 0
      ? "No dialogs"
      : dialogs.map((dialog) => `#${dialog.id} ${dialogText(dialog)}`).join("\n");
  },
});
