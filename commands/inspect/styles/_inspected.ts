/** The element of each tab that was inspected last, by `inspect` or by being picked. */
import type { StateKey } from "../../../browser/state_of.ts";
import type { Tab } from "../../../browser/tabs/tab.ts";
import { BrowseError } from "../../../errors.ts";
import type { Ref } from "../../../refs/ref_table.ts";

const INSPECTED: StateKey<Tab, string | undefined> = { make: () => undefined };

export function noteInspected(tab: Tab, ref: Ref): void {
  tab.pageState.set(INSPECTED, ref.id);
}

/** Its ref. Throws `invalid_params` when there is none yet. */
export function lastInspected(tab: Tab): string {
  const known = tab.pageState.get(INSPECTED);
  if (known !== undefined) return known;
  throw new BrowseError("invalid_params", "Missing <target>: nothing has been inspected in this tab yet", {
    hint: "browse inspect <@ref or selector>",
  });
}
