/** What a call means by the names in it: its tab, and sessions that carry the name of their maker. */
import type { Command } from "../../commands/command.ts";
import { sessionMeant } from "../../security/tokens/ownership.ts";
import type { Caller, CallOptions } from "./call.ts";

export function inSessionMeant(options: CallOptions, { token }: Caller): CallOptions {
  return options.session === undefined ? options : { ...options, session: sessionMeant(token, options.session) };
}

/** The tab that `--tab` names is the one that the command is about, unless its own params name another. */
export function withTabMeant(
  { tabParams }: Command,
  raw: Record<string, unknown>,
  { tab }: Pick<CallOptions, "tab">,
): typeof raw {
  const unnamed = tab === undefined ? [] : tabParams.filter((param) => raw[param] === undefined);
  return unnamed.length === 0 ? raw : { ...raw, ...Object.fromEntries(unnamed.map((param) => [param, tab])) };
}

export function withSessionsMeant(command: Command, params: Record<string, unknown>, { token }: Caller) {
  const named = command.sessionParams.filter((param) => params[param] !== undefined);
  return {
    ...params,
    ...Object.fromEntries(named.map((param) => [param, sessionMeant(token, String(params[param]))])),
  };
}
