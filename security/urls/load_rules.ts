/** By which rules a tab's documents load: those of the token it was opened for. */
import { BrowseError } from "../../errors.ts";
import type { Token } from "../tokens/token.ts";
import type { DomainRules } from "./domain_rules.ts";

export interface LoadRules {
  domains?: DomainRules;
  /** May it be on loopback or a private network? */
  privateAllowed: boolean;
  /** May what its pages download be kept on this machine? */
  filesKept: boolean;
  /** Folders whose files may be opened; wherever the user stands when absent. */
  fileRoots?: readonly string[];
}

export function loadRules({ kind, domains, privateGranted, isRemote, fileRoots = [] }: Token): LoadRules {
  return {
    privateAllowed: privateGranted,
    filesKept: isRemote !== true,
    ...(domains && { domains }),
    ...(kind !== "root" && { fileRoots: isRemote ? [] : fileRoots }),
  };
}

/** Do they keep documents, or parts of them, from being loaded? */
export function limitsLoads({ privateAllowed, domains }: LoadRules): boolean {
  return !privateAllowed || domains !== undefined;
}

/** Addresses that show nothing of any site: a blank page, a frame that its parent has written, and what the browser says. */
const OF_NO_SITE = /^(?:about:(?:blank|srcdoc)(?:[?#]|$)|chrome-error:|$)/i;

export function isInDomains(url: string, domains: DomainRules | undefined): boolean {
  return domains === undefined || OF_NO_SITE.test(url) || domains.allows(innerUrl(url));
}

/** Is this document within the domains? Throws `blocked_url`. */
export function assertDomain(url: string, domains: DomainRules | undefined): void {
  if (domains === undefined || isInDomains(url, domains)) return;
  const shown = url.length > 200 ? `${url.slice(0, 200)}…` : url;
  throw new BrowseError("blocked_url", `Cannot open "${shown}": it is outside the domains of this token`, {
    hint: `This token is limited to ${domains.patterns.join(", ")}`,
    details: { domains: domains.patterns },
  });
}

/** A blob is of the site that made it. */
function innerUrl(url: string): string {
  return /^blob:/i.test(url) ? url.slice(5) : url;
}
