/** What an action gave a control, and the page has taken back by the time of the answer. */
import type { EffectReport } from "../../browser/effect_report.ts";
import type { Command } from "../../commands/command.ts";
import { effectText } from "../../commands/effect_text.ts";
import { BrowseError } from "../../errors.ts";
import { quotedParts } from "./guard/quoted_parts.ts";

/** Throws `not_kept`, with all that was seen, where the command claims what is not so any more. */
export function assertKept({ mustBeKept, spelling }: Command, effect: EffectReport): void {
  if (!mustBeKept || !effect.rewritten) return;
  const { line } = effectText(quotedParts(effect));
  throw new BrowseError("not_kept", `The page has undone what "${spelling}" did${line}`, { details: { effect } });
}
