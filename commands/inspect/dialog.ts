import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { DialogSchema } from "../effect.ts";
import { dialogText } from "../effect_text.ts";

export default defineCommand({
  name: "dialog",
  category: "inspect",
  summary: "Show the dialogs the page opened and what became of them",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  locksTab: false,
  worksInDialog: true,
  params: v.strictObject({ clear: v.exactOptional(v.pipe(v.boolean(), v.description("Forget them after showing"))) }),
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
      : dialogs.map((dialog) => `${dialog.id} ${dialogText(dialog)}`).join("\n");
  },
});
