/** Which session a call works in, and on which of its tabs. */
import type { Session } from "../../browser/sessions/session.ts";
import type { Sessions } from "../../browser/sessions/sessions.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { SHARED_SESSION, visitedBy } from "../../security/tokens/ownership.ts";
import { assertMayWorkIn } from "./authorize.ts";
import { holderOf } from "./call.ts";
import type { ReadyCall } from "./call_gate.ts";

/** The tab only where the call names one. A session that is named for the first time is made. */
export async function locate(
  { caller, options }: ReadyCall,
  sessions: Sessions,
): Promise<{ session: Session; tab?: Tab }> {
  const { session: name = SHARED_SESSION, tab: id, notify } = options;
  const tab = id === undefined ? undefined : sessions.findTab(id);
  const session = tab ? sessions.sessionOf(tab) : await sessions.get(name, holderOf(caller));
  // Two may have asked for a new one by the same name.
  if (!tab) assertMayWorkIn(caller.token, session);
  const maker = visitedBy(caller.token, session);
  if (maker) notify?.log("warning", `The session "${session.name}" is the agent "${maker.name}"'s, cookies and all`);
  return { session, ...(tab && { tab }) };
}

/** A page that is replaced need not be there; one that is pressed, or typed into, must. */
export function actsOnWhatIsThere({ command, effect }: ReadyCall): boolean {
  return effect === "page" && command.revivesTab !== true;
}
