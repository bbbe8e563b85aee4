/** Options of native lists, which are selected and never pressed: their menu is not part of the page. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import type { OptionAnswer, Refusal, SelectAnswer } from "../page/act/protocol.ts";
import { ask } from "../reader.ts";
import { labelOf, type Ref } from "../ref_table.ts";
import { expectedOf } from "./hit_target.ts";
import { refused } from "./refusal.ts";

/** Selects the option that the ref names in its native list. */
export async function chooseOption(tab: Tab, ref: Ref, { signal }: { signal: AbortSignal }): Promise<void> {
  noteTouched(tab, ref.frame);
  tab.noteInput();
  const answer = await ask(ref.frame, "pick", expectedOf(ref), { signal });
  if (answer.state === "not-native")
    throw new BrowseError("not_found", `${labelOf(ref)} is no longer in a native list`);
  selectedOf(tab, ref, answer);
}

type NativeAnswer = Exclude<SelectAnswer, { state: "not-native" }> | Refusal;

/** What was selected; throws what the list refused. */
export function selectedOf(tab: Tab, ref: Ref, answer: NativeAnswer): OptionAnswer[] {
  switch (answer.state) {
    case "selected":
      return answer.selected;
    case "no-option":
      throw noOption(ref, answer.wanted, answer.options, answer.total);
    case "option-disabled":
      throw new BrowseError("disabled", `Option "${answer.wanted}" of ${labelOf(ref)} is disabled`);
    case "single":
      throw new BrowseError("invalid_params", `${labelOf(ref)} takes exactly one value`, { hint: "Give one value" });
    default:
      throw refused(tab, ref, answer);
  }
}

export function noOption(ref: Ref, wanted: string, options: string[], total: number): BrowseError {
  const more = total > options.length ? ` and ${total - options.length} more` : "";
  const list = options.length > 0 ? options.map((option) => `"${option}"`).join(", ") + more : "none";
  return new BrowseError("not_found", `${labelOf(ref)} has no option "${wanted}"`, {
    details: { options, total },
    hint: `Its options: ${list}`,
  });
}
