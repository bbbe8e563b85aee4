import type { Tab } from "../browser/tab.ts";
import { BrowseError } from "../rpc/errors.ts";
import { noteTouched } from "./acted.ts";
import { askRef } from "./ask_ref.ts";
import { expectedOf } from "./look.ts";
import { refused } from "./refusal.ts";
import { labelOf, type Ref } from "./table.ts";

/** Gives the element the keyboard focus. Throws `invalid_params` for what cannot have it. */
export async function focus(tab: Tab, ref: Ref, { signal }: { signal: AbortSignal }): Promise<void> {
  noteTouched(tab, ref.frame);
  const answer = await askRef(ref, "focusOn", expectedOf(ref), { signal });
  if (answer.state !== "focused") throw refused(tab, ref, answer);
  if (!answer.focused) {
    throw new BrowseError("invalid_params", `${labelOf(ref)} cannot have the keyboard focus`, {
      hint: "Focus a field, link or button inside it, or use `browse click`",
    });
  }
}
