/** Which events a caller may follow: those of its tabs, on the topics that its scopes open. */
import type { Scope } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";
import { sessionMeant } from "../../security/tokens/ownership.ts";
import { isInSight, isLent, urlsIn } from "../../security/tokens/sight.ts";
import type { EventFilter, EventRecord } from "../protocol.ts";
import type { Caller } from "./call.ts";

/** Is this tab the caller's own, or shared with it? */
export type OwnsTab = (caller: Caller, tab: string) => boolean;

/** What others did, and were refused, concerns those who run the daemon. */
const SCOPES: Readonly<Record<string, Scope>> = { security: "control", daemon: "control" };

/** Throws `forbidden` for a topic that holds nothing this caller may ever see. */
export function assertTopics(caller: Caller, topics: readonly string[]): void {
  for (const topic of topics) {
    if (mayFollow(caller, topic)) continue;
    const scope = scopeOf(topic);
    throw new BrowseError("forbidden", `The topic "${topic}" needs the scope "${scope}"`, {
      details: { topic, scope },
    });
  }
}

/** Does the topic hold anything that this caller may see? */
export function mayFollow({ token }: Caller, topic: string): boolean {
  return token.scopes.has(scopeOf(topic));
}

/** What belongs to no tab is nobody's who sees only some tabs, and what was before a tab was lent is its owner's. */
export function visibilityOf(caller: Caller, owns: OwnsTab): (event: EventRecord) => boolean {
  const { token } = caller;
  if (token.tabs === "all") return ({ topic }) => mayFollow(caller, topic);
  return ({ topic, time, data }) => {
    const { tab } = data;
    if (!mayFollow(caller, topic) || typeof tab !== "string" || !owns(caller, tab)) return false;
    return !isLent(token, { id: tab }) || isInSight(token, { time, urls: urlsIn(data) });
  };
}

/** The filter with the session that the caller means. */
export function filterMeant<Params extends { filter?: EventFilter }>({ token }: Caller, params: Params): Params {
  const session = params.filter?.session;
  if (session === undefined) return params;
  return { ...params, filter: { ...params.filter, session: sessionMeant(token, session) } };
}

function scopeOf(topic: string): Scope {
  return Object.hasOwn(SCOPES, topic) ? (SCOPES[topic] ?? "read") : "read";
}
