/** What a token is shown of a tab's past: all of it where the tab is its own, and less where it was lent. */
import type { HeldTab } from "./ownership.ts";
import type { Token } from "./token.ts";

/** Something that happened in a tab. */
export interface Happened {
  /** ISO 8601. */
  time: string;
  /** Addresses that it was about, or came from. */
  urls: readonly string[];
}

/** Was the tab lent to the token, which did not open it? */
export function isLent(
  { tabs, shared, id }: Token,
  tab: Pick<HeldTab, "id"> & Partial<Pick<HeldTab, "holder">>,
): boolean {
  return tabs === "own" && shared.has(tab.id) && tab.holder?.id !== id;
}

/**
 * May somebody to whom the tab was lent see it? Only what came after the lending; where the token has domains, only what is
 * known to be of them.
 */
export function isInSight({ sharedAt = Number.POSITIVE_INFINITY, domains }: Token, { time, urls }: Happened): boolean {
  if (!(Date.parse(time) > sharedAt)) return false;
  if (domains === undefined) return true;
  const known = urls.filter((url) => ADDRESS.test(url));
  return known.length > 0 && known.every((url) => domains.allows(url.replace(/^blob:/i, "")));
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:/i;

/** The addresses in an event's data, wherever in it. */
export function urlsIn(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return /^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  return Object.values(value).flatMap((member) => urlsIn(member, depth + 1));
}

const MAX_DEPTH = 8;
