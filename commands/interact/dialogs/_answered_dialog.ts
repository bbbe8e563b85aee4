/** The answer of the commands that decide a dialog. */
import * as v from "valibot";
import type { DialogRecord } from "../../../browser/effect_report.ts";
import { DialogSchema } from "../../effect.ts";
import { dialogText } from "../../effect_text.ts";

export const AnsweredSchema = v.strictObject({
  dialog: v.exactOptional(
    v.pipe(DialogSchema, v.description("The dialog that was open; absent when the next one is meant")),
  ),
});

export function answeredText(
  { dialog }: { dialog?: DialogRecord | undefined },
  decision: "accept" | "dismiss",
): string {
  return dialog ? dialogText(dialog) : `No dialog is open: the next one will be ${decision}ed`;
}
