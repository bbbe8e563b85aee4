/** What the commands about sessions have in common. */
import * as v from "valibot";
import type { LastingSessions } from "../../browser/sessions/lasting_sessions.ts";
import type { Session } from "../../browser/sessions/session.ts";
import { BrowseError } from "../../errors.ts";
import { SessionName } from "../../security/tokens/session_name.ts";
import type { BaseContext } from "../context.ts";
import { isSession } from "../params.ts";
import { sessionsOf } from "./_saved_state.ts";

export const NamedSession = v.pipe(SessionName, v.description("The session's name"), isSession);

export const Persisting = v.pipe(v.string(), v.description("Whose cookies and storage outlive a stop and a crash"));

/** What persisting means, in the reference. */
export const PERSISTS =
  "What persists are cookies, local storage and IndexedDB, through a stop and a crash: written down a few seconds " +
  "after each command, for this user only, encrypted with BROWSE_STATE_KEY or the system's keychain where there is " +
  'one. All of the user\'s sessions persist with {"persist": true} in ~/.browse/config.json. A restart and an idle end ' +
  "lose nothing either way.";

/** Undefined for an agent with nothing but what is its own. */
export function lastingOf({ sessions, holder }: BaseContext): LastingSessions | undefined {
  return holder.tabs === "all" ? sessions.lasting : undefined;
}

/** The ones that persist are the user's own: an agent's end with its token. */
export async function persist(context: BaseContext, session: Session): Promise<{ persisting: string }> {
  const lasting = lastingOf(context);
  if (!lasting) throw new BrowseError("unsupported", "The sessions of an agent end with its token, and do not persist");
  await lasting.begin(session);
  return { persisting: session.name };
}

export function noSuchSession({ sessions, holder }: BaseContext, message: string): BrowseError {
  const names = sessionsOf(sessions, holder)
    .map((session) => session.name)
    .join(", ");
  return new BrowseError("not_found", message, { hint: names === "" ? "None is open" : `Open sessions: ${names}` });
}
