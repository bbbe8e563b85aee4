/** Sessions whose cookies went with the browser's network process: what is read of them now is less than they held. */
import type { StateKey } from "../state_of.ts";
import type { Session } from "./session.ts";

const LOST_AT: StateKey<Session, number | undefined> = { make: () => undefined };

/** It has none any more but those that came since. */
export function noteLostCookies(session: Session): void {
  session.state.set(LOST_AT, Date.now());
}

/** It was given what had been written down of it. */
export function noteCookiesBack(session: Session): void {
  session.state.take(LOST_AT);
}

/** When that was noticed, on the clock of `Date`; undefined while it has what it was given. */
export function cookiesLostAtMs(session: Session): number | undefined {
  return session.state.get(LOST_AT);
}
