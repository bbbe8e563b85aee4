/** May this caller make this call? The one place that decides, from the command's metadata. */
import { authorityOf, type Command, type Effect, raiseOf, reachOf } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";
import {
  type HeldSession,
  type HeldTab,
  mayMake,
  mayWorkIn,
  ownsSession,
  ownsTab,
  ownsWhole,
  SHARED_SESSION,
} from "../../security/tokens/ownership.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { Caller } from "./call.ts";

/** Sessions that a token with tabs of its own may make. */
const MAX_OWN_SESSIONS = 5;
/** Tabs that it may have open. */
const MAX_OWN_TABS = 100;

/** What is open, and whose it is. */
export interface Places {
  readonly sessions: readonly HeldSession[];
  tab(id: string): HeldTab | undefined;
  session(name: string): HeldSession | undefined;
  /** How many are the token's by its making. */
  tabCount(token: Token): number;
}

/** A call as far as its authority goes. */
export interface Asked {
  caller: Caller;
  command: Command;
  params: Readonly<Record<string, unknown>>;
  /** It asks for what the content guard would withhold. */
  unsafe?: boolean;
  /** As the call names them. */
  session?: string;
  tab?: string;
}

/** The call's effect, once the caller is found to hold what the call needs. Throws `forbidden` and `not_owner`. */
export function authorize(asked: Asked, places: Places): Effect {
  const { caller, command, params, unsafe } = asked;
  const { scope, effect } = authorityOf(command, params);
  assertOffered(caller, command);
  if (unsafe && caller.token.kind !== "root") {
    throw new BrowseError("forbidden", "Only the root token may ask for what the content guard withholds", {
      hint: "Go on without it, or ask the person whose browser this is to look",
    });
  }
  if (caller.via === "tunnel") assertRemoteParams(asked);
  if (!caller.token.scopes.has(scope)) {
    throw new BrowseError("forbidden", `"${command.spelling}" needs the scope "${scope}"`, { details: { scope } });
  }
  if (caller.token.kind === "skill" && effect === "process") throw notForSkills(command);
  assertOwner(asked, places);
  return effect;
}

/** May the token have tabs in that session? Throws `not_owner`. */
export function assertMayWorkIn(token: Token, session: HeldSession | undefined): void {
  if (mayWorkIn(token, session)) return;
  throw new BrowseError("not_owner", `The session "${session?.name}" belongs to another client`, {
    hint: `Use the session "${SHARED_SESSION}", or one of your own by a name that is not taken`,
  });
}

/** Asked before anything is said about the params: of what it may not call, a remote agent learns nothing. */
export function assertOffered({ token, via }: Caller, { spelling, remote = false }: Command): void {
  if (via === "local") return;
  // The listener refuses it before; here it holds for whoever comes by another way.
  if (token.kind === "root") throw new BrowseError("unauthorized", "The root token is for this machine only");
  if (token.isTunnelled !== true) throw new BrowseError("unauthorized", "This token is for this machine only");
  if (remote === false) throw new BrowseError("forbidden", `"${spelling}" is not offered to remote agents`);
}

function assertRemoteParams({ command, params }: Asked): void {
  const { spelling, remote } = command;
  if (typeof remote === "object" && params[remote.with] !== true) {
    throw new BrowseError("forbidden", `"${spelling}" is offered to remote agents with "${remote.with}" only`, {
      hint: `Set "${remote.with}" to true`,
      details: { param: remote.with },
    });
  }
  if (authorityOf(command, params).effect !== "disk") return;
  const param = raiseOf(command, params)?.param;
  throw new BrowseError("forbidden", `"${spelling}" may not write files for remote agents`, {
    ...(param !== undefined && { hint: `Leave out "${param}"`, details: { param } }),
  });
}

/** Asked of each tab and session that the call names, wherever it does, and of what it works on when it names none. */
function assertOwner(asked: Asked, places: Places): void {
  const { caller, command, params } = asked;
  for (const id of [asked.tab, ...command.tabParams.map((param) => params[param])]) {
    if (typeof id === "string") assertOwnsTab(caller.token, places.tab(id));
  }
  for (const param of command.sessionParams) {
    const name = String(params[param]);
    const session = places.session(name);
    if (!session) assertMayMake(caller.token, name);
    else if (!ownsWhole(caller.token, session)) throw notOwnerOf(`The session "${name}"`);
  }
  if (command.opensTab && caller.token.tabs === "own") assertFewTabs(caller.token, places);
  if (command.needs === "daemon") assertReach(asked, undefined);
  else assertPlace(asked, places);
}

/** Asked of the session that the call works in. */
function assertPlace(asked: Asked, places: Places): void {
  const { token } = asked.caller;
  const named = asked.tab === undefined ? undefined : places.tab(asked.tab);
  const name = named?.session ?? asked.session ?? SHARED_SESSION;
  const session = places.session(name);
  if (session === undefined) assertMayMake(token, name);
  if (asked.tab === undefined) assertMayWorkIn(token, session);
  // What is made for a call is its caller's, and what is everybody's is in no session.
  const isWhole = session !== undefined || name === SHARED_SESSION || reachOf(asked.command) === "daemon";
  if (isWhole) assertReach(asked, session);
  else if (token.tabs === "own") assertFewSessions(token, places);
}

/** What an agent has not made, nobody makes in its name. Throws `not_owner` and `not_found`. */
function assertMayMake(token: Token, name: string): void {
  if (mayMake(token, name)) return;
  if (token.tabs === "own") throw notOwnerOf(`The session "${name}"`);
  throw new BrowseError("not_found", `There is no session "${name}"`, {
    hint: "Names with a slash are those of sessions that agents have made: `browse sessions` lists them",
  });
}

/** Each is a browser context of its own, which is not small. */
function assertFewSessions(token: Token, places: Places): void {
  const own = places.sessions.filter((session) => ownsSession(token, session)).length;
  if (own < MAX_OWN_SESSIONS) return;
  throw new BrowseError("forbidden", `This token has ${own} sessions already, and may have no more`, {
    hint: "Use one of them",
  });
}

/** Each may be a process of its own. */
function assertFewTabs(token: Token, places: Places): void {
  const own = places.tabCount(token);
  if (own < MAX_OWN_TABS) return;
  throw new BrowseError("forbidden", `This token has ${own} tabs open, and may have no more`, {
    hint: "Use one of them, or close some: `browse closetab`",
  });
}

function assertOwnsTab(token: Token, tab: HeldTab | undefined): void {
  // One that is not open is told of when it is looked for.
  if (tab && !ownsTab(token, tab)) throw notOwnerOf(`The tab "${tab.id}"`);
}

/**
 * What everyone in a session shares is changed and told by those only who have it all, or were given `admin` by name; its
 * tabs by those only who have it all.
 */
function assertReach({ caller: { token }, command }: Asked, session: HeldSession | undefined): void {
  const reach = reachOf(command);
  if (reach === "own" || token.tabs === "all") return;
  const isGiven = token.scopes.has("admin") && token.domains === undefined;
  if (isGiven && reach === "session") return;
  if (reach !== "daemon" && session && ownsWhole(token, session)) return;
  const what = reach === "daemon" ? "everybody's work" : "the whole session";
  throw new BrowseError("not_owner", `"${command.spelling}" concerns ${what}, and only part of it is yours`, {
    hint:
      reach === "daemon"
        ? "Ask a person"
        : "Use a session of your own: name one that is not taken by `--session` (in calls, by `session`)",
  });
}

/** Whoever could start processes would be in no sandbox. */
function notForSkills({ spelling }: Command): BrowseError {
  return new BrowseError("forbidden", `A skill may not call "${spelling}", which starts or ends processes`, {
    hint: "Leave it to whoever runs the skill",
  });
}

function notOwnerOf(what: string): BrowseError {
  return new BrowseError("not_owner", `${what} belongs to another client`);
}
