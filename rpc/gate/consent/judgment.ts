/** What the user's policy says of a call, and what a person is asked about an unapproved skill besides. */
import { allCommands, authorityOf, type Command, type Effect } from "../../../commands/command.ts";
import { BrowseError, toBrowseError } from "../../../errors.ts";
import { type Decision, type Judged, strictest } from "../../../security/policy/rules.ts";
import type { ReadyCall } from "../call_gate.ts";
import { isAskedFor } from "./person.ts";

/** What was thought of, and what was said. */
export interface Judgment {
  urls: readonly string[];
  decision: Decision;
}

/** What the user's policy says. Throws when it cannot be read. */
export type Decide = (call: Judged) => Decision;

type Unjudged = Omit<ReadyCall, "judgment">;

/** Throws `forbidden` for a no. */
export function judgmentOf(call: Unjudged, urls: readonly string[], decide: Decide): Judgment {
  const decision = byPolicy(call, urls, decide);
  return { urls, decision: decision === "allow" && isAskedFor(call) ? "confirm" : decision };
}

function byPolicy({ command, params, effect, out }: Unjudged, urls: readonly string[], decide: Decide): Decision {
  if (command.outsidePolicy) return "allow";
  const { scope } = authorityOf(command, params);
  const judged = { command: command.name, sameAs: comesTo(effect), scope, effect, urls };
  // Whatever else the command does, --out writes a file.
  const writing = out === undefined ? [] : [{ ...judged, scope: "write", effect: "disk", sameAs: [] }];
  const judge = (of: readonly string[]) =>
    strictest([judged, ...writing].map((call) => readable(decide, { ...call, urls: of })));
  let decision = judge(urls);
  // Where a tab must not be it can always be led away from.
  if (decision === "deny" && command.leavesPage) decision = judge(addressesIn(command, params));
  if (decision !== "deny") return decision;
  throw new BrowseError("forbidden", `The user's policy does not allow "${command.spelling}"`, {
    hint: "A person can change it in config.json, in ~/.browse and in the project's .browse",
  });
}

function readable(decide: Decide, call: Judged): Decision {
  try {
    return decide(call);
  } catch (error) {
    const { message, hint } = toBrowseError(error);
    throw new BrowseError("forbidden", `No command runs while the policy cannot be read. ${message}`, { hint });
  }
}

/** The addresses that it opens. */
export function addressesIn({ urls }: Command, params: Record<string, unknown>): string[] {
  return urls.map((param) => params[param]).filter((url) => typeof url === "string");
}

/** A rule about one command that runs a script is meant for every way to run one. */
function comesTo(effect: Effect): string[] {
  if (effect !== "code") return [];
  return allCommands().flatMap((command) => (command.effect === "code" ? [command.name] : []));
}
