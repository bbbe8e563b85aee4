/** One hop on the way to something that is loaded: held against the URL policy by its text, then by where its name leads. */

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { within } from "../../abort.ts";
import { classifyHost } from "./host.ts";
import { assertDomain, type LoadRules } from "./load_rules.ts";
import { checkRequestUrl, checkResolvedAddress } from "./url_policy.ts";

export interface HopOptions extends Omit<LoadRules, "filesKept"> {
  /** Whoever loads it looks the name up elsewhere, at a proxy: what it is called here says nothing. */
  resolvedElsewhere: boolean;
}

/** The parts of a page come from the same few hosts at once. Shorter than any browser keeps what it looked up. */
const RECENT_MS = 1_000;
const recent = new Map<string, Promise<string[]>>();

/** A resolver that takes longer leaves the answer to the browser, which tells what is wrong with the name. */
const MAX_LOOKUP_MS = 3_000;

/**
 * Throws `blocked_url`. A name that does not resolve passes: the browser's own error says it better. The browser looks
 * the name up again, so this stops names that point at a forbidden address, not ones that change between two looks.
 */
export async function checkHop(url: string, { domains, privateAllowed, resolvedElsewhere }: HopOptions): Promise<void> {
  assertDomain(url, domains);
  checkRequestUrl(url, { privateAllowed });
  const host = URL.parse(url)?.hostname ?? "";
  // An address needs no look-up, and a name of this machine has been judged by its text.
  if (host === "" || resolvedElsewhere || isAddress(host) || classifyHost(host) === "loopback") return;
  for (const address of await addressesOf(host)) checkResolvedAddress(address, { privateAllowed });
}

function isAddress(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, "")) !== 0;
}

function addressesOf(host: string): Promise<string[]> {
  const known = recent.get(host);
  if (known) return known;
  const found = lookUp(host);
  recent.set(host, found);
  setTimeout(() => recent.delete(host), RECENT_MS).unref();
  return found;
}

async function lookUp(host: string): Promise<string[]> {
  const bare = host.replace(/^\[|\]$/g, "");
  const found = await within(
    MAX_LOOKUP_MS,
    lookup(bare, { all: true }).catch(() => []),
    [],
  );
  return found.map(({ address }) => address);
}
