/** The token of a run of a skill: a part of what its caller has, and for no longer. */
import { randomUUID } from "node:crypto";
import { BrowseError } from "../../errors.ts";
import { domainsWithin } from "../urls/domains_within.ts";
import { lentOf } from "./family.ts";
import { SHARED_SESSION } from "./ownership.ts";
import type { Scope } from "./scope.ts";
import type { Token } from "./token.ts";

/** What a run of a skill is given, of what its caller has. */
export interface SkillGrant {
  /** Those that its manifest declares. */
  scopes: ReadonlySet<Scope>;
  /** The hosts that it is held to, as `DomainRules` has them. Default: any. */
  domains?: readonly string[] | undefined;
  /** The session of the call. Default: that of everyone. */
  session?: string;
  /** The one tab of the call that it may use. */
  tab?: string;
  timeoutMs: number;
}

/** A skill may end what it is at after its time is up. */
const GRACE_MS = 30_000;
/** Of a run whose caller has no rate: more would be felt by everybody else, and push what they did out of the journal. */
const CALLS_PER_SECOND = 100;
const SKILL_SCOPES: ReadonlySet<Scope> = new Set(["read", "write", "meta"]);

/**
 * Throws `invalid_params` when it asks for more than a skill may have, and `forbidden` when nothing of it is the caller's to
 * give.
 */
export function skillToken(name: string, by: Token, grant: SkillGrant): Token {
  const { session = SHARED_SESSION, tab, timeoutMs } = grant;
  return {
    kind: "skill",
    name,
    ...sharedAuthority(name, by, grant),
    tabs: "own",
    shared: new Set(tab === undefined ? [] : [tab]),
    sharedAt: Date.now(),
    session,
    privateGranted: by.privateGranted,
    expiresAt: Math.min(Date.now() + timeoutMs + GRACE_MS, by.expiresAt ?? Number.POSITIVE_INFINITY),
    id: randomUUID(),
    // The very same object: with all that it lends to, its caller counts as one.
    rate: by.rate ?? { perSecond: CALLS_PER_SECOND, isWaitedFor: true },
    ...lentOf(by),
  };
}

/** What both the skill declares and its caller has. */
function sharedAuthority(name: string, by: Token, grant: SkillGrant): Pick<Token, "scopes" | "domains"> {
  const declared = [...grant.scopes];
  const excess = declared.find((scope) => !SKILL_SCOPES.has(scope));
  if (excess !== undefined || declared.length === 0) {
    throw new BrowseError("invalid_params", `A skill cannot have the scope "${excess ?? ""}"`, {
      hint: "Skills may read, write, and run several commands in one call",
    });
  }
  const scopes = grant.scopes.intersection(by.scopes);
  const domains = domainsWithin(by.domains, grant.domains);
  if (scopes.size === 0) throw nothingToGive(name, `scopes ${declared.join(", ")}`);
  if (domains === "none") throw nothingToGive(name, `domains ${grant.domains?.join(", ")}`);
  return { scopes, ...(domains && { domains }) };
}

function nothingToGive(name: string, what: string): BrowseError {
  return new BrowseError(
    "forbidden",
    `Cannot run the skill "${name}": it works with the ${what}, which you do not have`,
    {
      hint: "Ask the person whose browser this is for them",
    },
  );
}
