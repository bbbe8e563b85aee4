/** Whose is it? Decides for tabs and sessions what a token may see and touch, wherever a call names them. */
import type { Token } from "./token.ts";

/** A tab. */
export interface HeldTab {
  readonly id: string;
  /** Name of the session it is in. */
  readonly session: string;
  /** Who opened it; nobody that is known when absent. */
  readonly holder: Token | undefined;
}

/** A session. */
export interface HeldSession {
  readonly name: string;
  /** Who made it; nobody for the session of everyone. */
  readonly holder: Token | undefined;
}

/** The session of everyone: its cookies are the user's, and each agent has tabs of its own in it. */
export const SHARED_SESSION = "default";

/** May the token act on the tab, read it, and hear what happens in it? */
export function ownsTab(token: Token, { id, holder }: Pick<HeldTab, "id" | "holder">): boolean {
  return token.tabs === "all" || holder?.id === token.id || token.shared.has(id);
}

/** May the token have tabs in the session? One that is not there yet becomes its own. */
export function mayWorkIn(token: Token, session: HeldSession | undefined): boolean {
  return session === undefined || session.name === SHARED_SESSION || ownsSession(token, session);
}

/** Is the session, with all its tabs and its cookies, the token's own? */
export function ownsSession(token: Token, { holder }: HeldSession): boolean {
  return token.tabs === "all" || holder?.id === token.id;
}
