/** Who lends can lend no more than what is theirs. */
import { BrowseError } from "../../errors.ts";
import { type Grant, isWithinAny } from "./grant.ts";
import type { Token } from "./token.ts";

/** Throws `forbidden` when the grant allows anything that the token does not. */
export function assertWithin(grant: Grant, by: Token): void {
  const excess = excessOf(grant, by);
  if (excess === undefined) return;
  throw new BrowseError("forbidden", `You cannot give ${excess}, which you do not have`, {
    hint: "Ask for less, or ask the person whose browser this is",
  });
}

function excessOf(grant: Grant, by: Token): string | undefined {
  const { scopes, tabs, shared, domains, privateGranted, isTunnelled, fileRoots, perSecond, ttlMs } = grant;
  const scope = [...scopes].find((wanted) => !by.scopes.has(wanted));
  if (scope !== undefined) return `the scope "${scope}"`;
  if (by.tabs === "own" && tabs === "all") return "all tabs";
  if (by.tabs === "own" && [...shared].some((id) => !by.shared.has(id))) return "tabs of others";
  const allowed = by.domains?.patterns;
  if (allowed && !(domains?.patterns ?? [""]).every((pattern) => allowed.includes(pattern))) return "other domains";
  if (privateGranted && !by.privateGranted) return "addresses of this machine and its network";
  if (by.kind !== "root") {
    if (isTunnelled && by.isTunnelled !== true) return "a way in by the tunnel";
    const folder = fileRoots.find((root) => !isWithinAny(by.fileRoots ?? [], root));
    if (folder !== undefined) return `files in "${folder}"`;
  }
  if (by.rate && perSecond > by.rate.perSecond) return `more than ${by.rate.perSecond} calls a second`;
  if (by.expiresAt !== undefined && Date.now() + ttlMs > by.expiresAt) return "more time";
  return undefined;
}
