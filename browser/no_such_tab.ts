/** The refusal for a tab id that is not open. */
import { BrowseError } from "../rpc/errors.ts";
import type { Tab } from "./tab.ts";

export function noSuchTab(id: string, open: readonly Tab[]): BrowseError {
  const ids = open.map((tab) => tab.id).join(", ");
  return new BrowseError("tab_gone", `There is no tab "${id}"`, {
    hint: ids === "" ? "Open one with `browse newtab`" : `Open tabs: ${ids}`,
  });
}
