/** The element of each tab that was inspected last, by `inspect` or by being picked. */
import type { Page } from "playwright";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import type { Ref } from "../../refs/ref_table.ts";

const inspected = new WeakMap<Page, string>();

export function noteInspected({ page }: Tab, ref: Ref): void {
  inspected.set(page, ref.id);
}

/** Its ref. Throws `invalid_params` when there is none yet. */
export function lastInspected({ page }: Tab): string {
  const known = inspected.get(page);
  if (known !== undefined) return known;
  throw new BrowseError("invalid_params", "Missing <target>: nothing has been inspected in this tab yet", {
    hint: "browse inspect <@ref or selector>",
  });
}
