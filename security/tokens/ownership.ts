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
  /** Has somebody else a tab in it, or is about to? */
  readonly hasVisitors: boolean;
}

/** The session of everyone: its cookies are the user's, and each agent has tabs of its own in it. */
export const SHARED_SESSION = "default";

/**
 * The session that the token means by a name. Those that agents make carry the name of their maker, so that nobody works
 * in one of them without knowing; `researcher` says `work`, and everybody else `researcher/work`.
 */
export function sessionMeant(token: Token, named: string): string {
  const isPlain = token.tabs === "all" || named === SHARED_SESSION || named === token.session || named.includes("/");
  return isPlain ? named : `${token.name}/${named}`;
}

/** May the token make a session of that name? */
export function mayMake(token: Token, name: string): boolean {
  // Of a session that it made, nobody would be the owner when it has ended.
  if (token.session !== undefined) return name === SHARED_SESSION && name === token.session;
  return !name.includes("/") || (token.tabs === "own" && name.startsWith(`${token.name}/`));
}

/** May the token act on the tab, read it, and hear what happens in it? */
export function ownsTab(token: Token, { id, holder }: Pick<HeldTab, "id" | "holder">): boolean {
  return token.tabs === "all" || holder?.id === token.id || token.shared.has(id);
}

/** Is the tab the token's by its making, and not by being lent or by leave to use all? */
export function hasOpened(token: Token, { holder }: Pick<HeldTab, "holder">): boolean {
  return token.tabs === "all" ? holder?.tabs !== "own" : holder?.id === token.id;
}

/** May the token have tabs in the session? One that is not there yet becomes its own. */
export function mayWorkIn(token: Token, session: HeldSession | undefined): boolean {
  if (token.session !== undefined && session) return session.name === token.session;
  return session === undefined || session.name === SHARED_SESSION || ownsSession(token, session);
}

/** The agent whose session it is, where the token is a visitor. */
export function visitedBy(token: Token, { holder }: Pick<HeldSession, "holder">): Token | undefined {
  return holder?.tabs === "own" && holder.id !== token.id ? holder : undefined;
}

/** Is the session the token's own, and nobody else in it? What concerns all of it concerns nobody else then. */
export function ownsWhole(token: Token, session: HeldSession): boolean {
  return token.tabs === "all" || (ownsSession(token, session) && !session.hasVisitors);
}

/** Is the session, with its cookies, the token's own? */
export function ownsSession(token: Token, { holder }: Pick<HeldSession, "holder">): boolean {
  return token.tabs === "all" || holder?.id === token.id;
}
