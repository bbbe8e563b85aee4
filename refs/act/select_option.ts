/** Choosing from lists: native ones by their options, custom ones as a person does. */
import type { Tab } from "../../browser/tabs/tab.ts";
import { noteTouched } from "../effects/touched_frames.ts";
import { ask } from "../reader.ts";
import type { Ref } from "../ref_table.ts";
import { CustomList } from "./custom_list.ts";
import { expectedOf } from "./hit_target.ts";
import { selectedOf } from "./native_list.ts";

/**
 * Selects exactly the options given by value, label or text, and answers with their labels. Lists that are not native
 * are opened and their options pressed. Throws `not_found` with the options there are, `outcome_unknown` when a control
 * does not show the option that was pressed, `invalid_params`, `disabled`, `not_visible`, `stale_ref`.
 */
export async function selectOptions(
  tab: Tab,
  ref: Ref,
  values: readonly string[],
  { signal }: { signal: AbortSignal },
): Promise<string[]> {
  noteTouched(tab, ref.frame);
  tab.noteInput();
  const answer = await ask(ref.frame, "select", { ...expectedOf(ref), values: [...values] }, { signal });
  if (answer.state === "not-native") return await new CustomList(tab, ref, signal).choose(values);
  return selectedOf(tab, ref, answer).map(({ label }) => label);
}
