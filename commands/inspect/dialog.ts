import * as v from "valibot";
import { defineCommand } from "../command.ts";
import { DialogSchema } from "../effect.ts";
import { dialogText } from "../effect_text.ts";
import { Before, beforeLines, Last, newestOf } from "../newest.ts";

export default defineCommand({
  name: "dialog",
  category: "inspect",
  summary: "Show the dialogs that the page opened and how they were answered",
  scope: "read",
  effect: "none",
  needs: "tab",
  output: "page",
  fromPage: "parts",
  locksTab: false,
  worksInDialog: true,
  isLog: true,
  params: v.strictObject({
    last: Last,
    clear: v.exactOptional(v.pipe(v.boolean(), v.description("Clear the list after showing it"))),
  }),
  result: v.strictObject({ dialogs: v.array(DialogSchema), before: Before }),
  examples: ["browse dialog"],
  run({ capture }, { last, clear }) {
    const ring = capture.dialogs;
    const { shown, ...before } = newestOf(ring.since(0), last);
    const dialogs = shown.map(({ value }) => ({ ...value }));
    if (clear) ring.clear();
    return { dialogs, ...before };
  },
  render({ dialogs, before }) {
    const lines = dialogs.map((dialog) => `#${dialog.id} ${dialogText(dialog)}`);
    return lines.length === 0
      ? "No dialogs"
      : [...beforeLines(before, "browse dialog", lines.length), ...lines].join("\n");
  },
});
