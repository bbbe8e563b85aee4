/** The refusal for a tab id that is not open. */
import { BrowseError } from "../../errors.ts";
import { SHARED_SESSION } from "../../security/tokens/ownership.ts";
import type { Tab } from "./tab.ts";

export function noSuchTab(id: string, open: readonly Tab[]): BrowseError {
  const ids = open
    .map((tab) => (tab.session === SHARED_SESSION ? tab.id : `${tab.id} (session "${tab.session}")`))
    .join(", ");
  return new BrowseError("tab_gone", `There is no tab "${id}"`, {
    hint: ids === "" ? "Open one with `browse newtab`" : `Open tabs: ${ids}`,
  });
}

/** For what acts on a page, in a session that shows none: a blank one is not what anybody meant. */
export function noTab({ name }: { name: string }): BrowseError {
  return new BrowseError("tab_gone", `No tab is open in the session "${name}"`, {
    hint: "Open one with `browse goto ADDRESS`",
  });
}
