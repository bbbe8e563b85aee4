/** May this caller make this call? The one place that decides. */
import { authorityOf, type Command, type Effect } from "../commands/command.ts";
import type { Caller } from "./call.ts";
import { BrowseError } from "./errors.ts";

/** The call's effect, once the caller is found to hold what the call needs. */
export function authorize(caller: Caller, command: Command, params: Record<string, unknown>): Effect {
  const { scope, effect } = authorityOf(command, params);
  if (caller.via === "tunnel") assertRemote(command, params);
  if (!caller.token.scopes.has(scope)) {
    throw new BrowseError("forbidden", `"${command.name}" needs the scope "${scope}"`, { details: { scope } });
  }
  return effect;
}

function assertRemote({ name, remote = false }: Command, params: Record<string, unknown>): void {
  if (remote === false) throw new BrowseError("forbidden", `"${name}" is not offered to remote agents`);
  if (remote === true || params[remote.with] === true) return;
  throw new BrowseError("forbidden", `"${name}" is offered to remote agents with "${remote.with}" only`, {
    hint: `Set "${remote.with}" to true`,
    details: { param: remote.with },
  });
}
