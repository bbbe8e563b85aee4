/** What a person lends to an agent, checked whole before anything is changed by it. */
import { BrowseError } from "../../errors.ts";
import { isWithin } from "../files/file_location.ts";
import { DomainRules } from "../urls/domain_rules.ts";
import { PAIRING_SCOPES, type Scope, scopesFrom } from "./scope.ts";
import type { Token } from "./token.ts";

/** As it was typed. Absent members have their default; empty ones are errors, never "all". */
export interface GrantRequest {
  name: string;
  /** Default: read, write, meta. */
  scopes?: readonly string[];
  /** Default: any host. */
  domains?: readonly string[];
  /** Default: own. */
  tabs?: string;
  /** Ids of tabs of others that the agent may use. */
  share?: readonly string[];
  /** Loopback and private addresses through the tunnel. Default: no. */
  privateGranted?: boolean;
  /** Is it to be let in by the tunnel too? Default: no. */
  isTunnelled?: boolean;
  /** Folders that it may read and write, as `lentFolders` gives them. Default: none. */
  fileRoots?: readonly string[];
  /** Calls in a second. Default: 10. */
  perSecond?: number;
  /** Default, and longest: 24 hours. */
  ttlMs?: number;
}

export interface Grant {
  name: string;
  scopes: ReadonlySet<Scope>;
  domains?: DomainRules;
  tabs: "all" | "own";
  shared: ReadonlySet<string>;
  privateGranted: boolean;
  isTunnelled: boolean;
  fileRoots: readonly string[];
  perSecond: number;
  ttlMs: number;
}

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
/** Names under which the journal knows somebody else. */
const RESERVED = new Set(["root", "panel", "skill", "unknown"]);
const TAB_ID = /^t[1-9]\d*$/;
const MAX_SHARED = 100;
const DEFAULT_PER_SECOND = 10;
const MAX_PER_SECOND = 1_000;
const MAX_TTL_MS = 24 * 60 * 60_000;

/** Throws `invalid_params`. */
export function grantFrom(request: GrantRequest): Grant {
  const { scopes = PAIRING_SCOPES, domains, tabs = "own", share, privateGranted = false } = request;
  const { isTunnelled = false, fileRoots = [] } = request;
  if (tabs !== "own" && tabs !== "all") throw wrong(`Tabs are "own" or "all", not ${JSON.stringify(tabs)}`);
  return {
    name: checkedName(request.name),
    scopes: scopesFrom(scopes),
    ...(domains && { domains: new DomainRules(domains) }),
    tabs,
    shared: new Set(share === undefined ? [] : checkedTabs(share)),
    privateGranted,
    isTunnelled,
    fileRoots,
    perSecond: within("The rate", request.perSecond ?? DEFAULT_PER_SECOND, MAX_PER_SECOND),
    ttlMs: within("The time", request.ttlMs ?? MAX_TTL_MS, MAX_TTL_MS),
  };
}

/** Is there anything that the token may do and the grant does not allow? What cannot be compared counts as narrower. */
export function isNarrower(grant: Grant, token: Token): boolean {
  return (
    [...token.scopes].some((scope) => !grant.scopes.has(scope)) ||
    (token.tabs === "all" && grant.tabs === "own") ||
    (grant.tabs === "own" && [...token.shared].some((id) => !grant.shared.has(id))) ||
    (token.privateGranted && !grant.privateGranted) ||
    (token.isTunnelled === true && !grant.isTunnelled) ||
    (token.fileRoots ?? []).some((root) => !isWithinAny(grant.fileRoots, root)) ||
    grant.perSecond < (token.rate?.perSecond ?? Number.POSITIVE_INFINITY) ||
    Date.now() + grant.ttlMs < (token.expiresAt ?? Number.POSITIVE_INFINITY) ||
    isNarrowerDomain(grant.domains, token.domains)
  );
}

/** Is the folder one of these, or below one? */
export function isWithinAny(roots: readonly string[], folder: string): boolean {
  return roots.some((root) => isWithin(root, folder));
}

/** Names that differ in case only are the same one. */
export function nameKey(name: string): string {
  return name.toLowerCase();
}

function isNarrowerDomain(now: DomainRules | undefined, before: DomainRules | undefined): boolean {
  if (now === undefined) return false;
  return before === undefined || before.patterns.some((pattern) => !now.patterns.includes(pattern));
}

/** Only plain letters, so that no name looks like another, and none like `root` in another spelling. */
function checkedName(name: string): string {
  if (RESERVED.has(nameKey(name.normalize("NFKC").replace(/[\s\p{C}]/gu, "")))) {
    throw wrong(`An agent cannot be called ${JSON.stringify(name)}`, "Choose another name");
  }
  if (NAME.test(name)) return name;
  throw wrong(
    `An agent cannot be called ${JSON.stringify(name)}`,
    "Use letters, digits, dot, dash and underscore, at most 64",
  );
}

function checkedTabs(ids: readonly string[]): readonly string[] {
  if (ids.length === 0) throw wrong("No tab is named", "Write tab ids such as t3");
  if (ids.length > MAX_SHARED) throw wrong(`More than ${MAX_SHARED} tabs are named`, "Pair with --tabs all instead");
  const bad = ids.find((id) => !TAB_ID.test(id));
  if (bad === undefined) return ids;
  throw wrong(`${JSON.stringify(bad)} is not a tab`, "Write tab ids such as t3");
}

function within(what: string, value: number, most: number): number {
  if (Number.isFinite(value) && value > 0 && value <= most) return value;
  throw wrong(`${what} must be more than 0 and at most ${most}, not ${value}`);
}

function wrong(problem: string, hint?: string): BrowseError {
  return new BrowseError("invalid_params", problem, hint === undefined ? {} : { hint });
}
