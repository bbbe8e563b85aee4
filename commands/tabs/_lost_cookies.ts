/** A saved state is not replaced by what is left of a session whose cookies the browser has lost. */
import type { Session } from "../../browser/sessions/session.ts";
import type { Sessions } from "../../browser/sessions/sessions.ts";
import { BrowseError } from "../../errors.ts";
import type { StateStore } from "../../security/states/state_store.ts";

interface Saving {
  session: Session;
  name: string;
  states: StateStore;
}

/** Throws `browser_gone` when they went after the state of that name was saved. To be asked after the session was read. */
export async function assertCookiesAreThere(sessions: Sessions, { session, name, states }: Saving): Promise<void> {
  const lostAtMs = await sessions.cookiesLostAtMs(session).catch((error: unknown) => {
    throw refusal(name, "the browser does not say whether it still has the session's cookies", "Try again", error);
  });
  if (lostAtMs === undefined) return;
  // A damaged one does not say when, and is no loss.
  const isOlder = Date.parse(states.find(name)?.savedAt ?? "") <= lostAtMs;
  if (!isOlder) return;
  throw refusal(
    name,
    "the browser's network process died after that was saved, and the session's cookies with it",
    `\`browse state load ${name}\` brings back those of then; \`browse state rm ${name}\` lets what is there now be saved`,
  );
}

function refusal(name: string, reason: string, hint: string, cause?: unknown): BrowseError {
  return new BrowseError("browser_gone", `Kept the state "${name}" as it was: ${reason}`, { hint, cause });
}
