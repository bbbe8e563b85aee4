/** What a caller holds. Tokens live in memory and die with the daemon. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { BrowseError } from "../../errors.ts";
import type { DomainRules } from "../urls/domain_rules.ts";
import { type FamilyHead, lentOf } from "./family.ts";
import { type Grant, type GrantRequest, grantFrom, isNarrower, nameKey } from "./grant.ts";
import { SCOPES, type Scope } from "./scope.ts";
import { type SkillGrant, skillToken } from "./skill_token.ts";
import { TokenBucket } from "./token_bucket.ts";

/** The fifth kind, the pairing key, opens nothing but an exchange: see `exchange`. */
export type TokenKind = "root" | "client" | "skill" | "panel";

export interface Rate {
  readonly perSecond: number;
  /** A call that comes too early waits for its turn, and is not refused until many do. */
  readonly isWaitedFor?: true;
}

export interface Token {
  readonly kind: TokenKind;
  /** What the journal and `agents` call the holder. */
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  /** `own`: only tabs and sessions that it opened, and those shared with it. */
  readonly tabs: "all" | "own";
  /** Ids of tabs of others that it may use as if they were its own. */
  readonly shared: ReadonlySet<string>;
  /** Where documents may come from; anywhere when absent. */
  readonly domains?: DomainRules;
  /** Folders whose files it may open and load; none when absent. The user's own token needs no such list. */
  readonly fileRoots?: readonly string[];
  /** May it open loopback and private addresses through the tunnel? */
  readonly privateGranted: boolean;
  /** Is it let in by the tunnel? Where it is not said, no. */
  readonly isTunnelled?: boolean;
  /** When the tabs in `shared` were lent, in milliseconds since 1970: nothing of what was before is its. */
  readonly sharedAt?: number;
  /** Of the holder of what a call through the tunnel opens: see `holderOf`. */
  readonly isRemote?: true;
  /** No limit when absent. */
  readonly rate?: Rate;
  /** Milliseconds since 1970; the daemon's life when absent. */
  readonly expiresAt?: number;
  /** Id of the token whose holder lent it: it ends with that one. The user's own when absent. */
  readonly lentBy?: string;
  /** The first in the line of those that lent it: see `headOf`. Itself when absent. */
  readonly head?: FamilyHead;
  /** The only session that it works in, whoever made that; where it is not said, see `mayWorkIn`. */
  readonly session?: string;
  /** Never given twice. No secret: it tells a token from another one of the same name. */
  readonly id: string;
}

export type RevokeReason = "unpaired" | "replaced" | "expired" | "ended";

export interface PairingKey {
  key: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
  grant: Grant;
  /** The grant under that name that was wider or longer than this one, and has ended. */
  revoked?: Token;
}

export interface Exchanged {
  secret: string;
  token: Token;
  /** The grant under that name that this one takes the place of. */
  replaced?: Token;
}

interface Holder {
  digest: Buffer;
  token: Token;
  isUsed: boolean;
  timer?: NodeJS.Timeout;
}

interface Pending {
  digest: Buffer;
  grant: Grant;
  lent: ReturnType<typeof lentOf>;
  expiresAt: number;
  /** When what it lends was lent. */
  issuedAt: number;
  /** Given again to whoever asks with the key, until it is first used: an answer may be lost on its way. */
  exchanged?: Exchanged;
}

const PAIRING_KEY_MS = 5 * 60_000;
const EXCHANGES_PER_MINUTE = 300;
const PANEL_MS = 30 * 60_000;
const PANEL_SCOPES: ReadonlySet<Scope> = new Set(["read", "write", "meta"]);

/** 32 random bytes, as base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** Everything, on the loopback listener only. */
export function rootToken(): Token {
  return { ...unlimited(), kind: "root", name: "root", scopes: new Set(SCOPES) };
}

/** The tokens this daemon honors, looked up without leaking by time how much of a guess was right. */
export class TokenRegistry {
  #holders: Holder[] = [];
  #pending: Pending[] = [];
  readonly #watchers = new Set<(token: Token, reason: RevokeReason) => void>();
  readonly #exchanges = new TokenBucket({ perSecond: EXCHANGES_PER_MINUTE / 60, capacity: EXCHANGES_PER_MINUTE });

  add(secret: string, token: Token): void {
    const holder: Holder = { digest: digestOf(secret), token, isUsed: false };
    if (token.expiresAt !== undefined) {
      const end = () => this.end(token, "expired");
      holder.timer = setTimeout(end, Math.max(0, token.expiresAt - Date.now())).unref();
    }
    this.#holders.push(holder);
  }

  /** The holder of `secret`; undefined when nobody is. Every entry is compared, whichever matches. */
  find(secret: string): Token | undefined {
    const holder = matching(this.#holders, digestOf(secret));
    if (!holder || !this.isLive(holder.token)) return undefined;
    if (!holder.isUsed) this.#markUsed(holder);
    return holder.token;
  }

  /** Does it still hold? Timers come late when a machine sleeps, so the clock is asked as well. */
  isLive(token: Token): boolean {
    if (!this.#holders.some((holder) => holder.token === token)) return false;
    if (token.expiresAt === undefined || Date.now() < token.expiresAt) return true;
    this.end(token, "expired");
    return false;
  }

  /**
   * A key that can be exchanged once for a token with this grant. A grant that is narrower than the one its name has
   * ends that one at once. What an agent lends ends with its own token. Throws `invalid_params`, and changes nothing then.
   */
  issuePairingKey(request: GrantRequest, by?: Token): PairingKey {
    const grant = grantFrom(request);
    const before = this.#client(grant.name);
    this.#pending = this.#pending.filter((pending) => nameKey(pending.grant.name) !== nameKey(grant.name));
    const isEnded = before !== undefined && isNarrower(grant, before);
    if (isEnded) this.end(before, "replaced");
    const key = newSecret();
    const issuedAt = Date.now();
    const expiresAt = issuedAt + PAIRING_KEY_MS;
    // Who pairs its own name again with less has just ended, and lends nothing.
    const isOver = by !== undefined && by.id === before?.id && isEnded;
    if (!isOver) this.#pending.push({ digest: digestOf(key), grant, lent: lentOf(by), issuedAt, expiresAt });
    return { key, expiresAt, grant, ...(isEnded && { revoked: before }) };
  }

  /**
   * `via` is the listener that it is asked at. Throws `unauthorized`, without saying why, and `rate_limited` beyond 300
   * exchanges in a minute, of all callers.
   */
  exchange(key: string, via: "local" | "tunnel" = "local"): Exchanged {
    if (!this.#exchanges.take()) throw new BrowseError("rate_limited", "Too many wrong pairing keys were tried");
    const pending = matching(this.#pending, digestOf(key));
    if (!pending || pending.expiresAt <= Date.now() || (via === "tunnel" && !pending.grant.isTunnelled)) {
      throw new BrowseError("unauthorized", "That pairing key is not valid", {
        hint: "Keys last 5 minutes and work once: ask for a new one with `browse pair`",
      });
    }
    pending.exchanged ??= this.#admit(pending);
    return pending.exchanged;
  }

  /** Keys that can still be exchanged, by the names they are for. */
  waiting(): { name: string; expiresAt: number }[] {
    return this.#pending
      .filter(({ exchanged, expiresAt }) => !exchanged && expiresAt > Date.now())
      .map(({ grant, expiresAt }) => ({ name: grant.name, expiresAt }));
  }

  /** For one run of a skill, of what `by` has. Throws as `skillToken` does. */
  issueSkill(name: string, by: Token, grant: SkillGrant): { secret: string; token: Token } {
    return this.#issue(skillToken(name, by, grant));
  }

  /** For an extension that has proved who it is. To be asked for again before it ends, as long as the panel is open. */
  issuePanel(name: string): { secret: string; token: Token } {
    return this.#issue({
      ...unlimited(),
      kind: "panel",
      name,
      scopes: PANEL_SCOPES,
      expiresAt: Date.now() + PANEL_MS,
    });
  }

  /** Ends the client token and the pairing keys of that name; false when there is nothing to end. */
  revoke(name: string): boolean {
    const left = this.#pending.filter((pending) => nameKey(pending.grant.name) !== nameKey(name));
    const hadKey = left.length < this.#pending.length;
    this.#pending = left;
    const token = this.#client(name);
    if (token) this.end(token, "unpaired");
    return hadKey || token !== undefined;
  }

  /** Ends one token, and tells everyone who keeps something open for it. */
  end(token: Token, reason: RevokeReason = "ended"): void {
    const holder = this.#holders.find((candidate) => candidate.token === token);
    if (!holder) return;
    clearTimeout(holder.timer);
    this.#holders = this.#holders.filter((candidate) => candidate !== holder);
    this.#pending = this.#pending.filter(
      ({ exchanged, lent }) => exchanged?.token !== token && lent.lentBy !== token.id,
    );
    for (const tell of this.#watchers) tell(token, reason);
    for (const lent of this.#holders.filter((other) => other.token.lentBy === token.id)) this.end(lent.token, reason);
  }

  /** The id of the token from which it is lent in the end: its own where nobody has lent it but the user. */
  familyOf({ id, lentBy }: Token): string {
    if (lentBy === undefined) return id;
    const lender = this.#holders.find(({ token }) => token.id === lentBy);
    return lender ? this.familyOf(lender.token) : lentBy;
  }

  /** Paired agents whose token holds now. */
  clients(): readonly Token[] {
    return this.#holders.map(({ token }) => token).filter((token) => token.kind === "client" && this.isLive(token));
  }

  /** Told of each token that no longer holds. */
  onRevoked(callback: (token: Token, reason: RevokeReason) => void): void {
    this.#watchers.add(callback);
  }

  #client(name: string): Token | undefined {
    return this.clients().find((token) => nameKey(token.name) === nameKey(name));
  }

  #admit({ grant: { ttlMs, perSecond, ...grant }, lent, issuedAt }: Pending): Exchanged {
    const replaced = this.#client(grant.name);
    const expiresAt = Date.now() + ttlMs;
    const issued = this.#issue({
      ...unlimited(),
      ...grant,
      kind: "client",
      expiresAt,
      sharedAt: issuedAt,
      rate: { perSecond },
      ...lent,
    });
    if (replaced) this.end(replaced, "replaced");
    return { ...issued, ...(replaced && { replaced }) };
  }

  #issue(token: Token): { secret: string; token: Token } {
    const secret = newSecret();
    this.add(secret, token);
    return { secret, token };
  }

  /** Whoever has the answer uses it: from now on the key is worth nothing, to its finder neither. */
  #markUsed(holder: Holder): void {
    holder.isUsed = true;
    this.#pending = this.#pending.filter(({ exchanged }) => exchanged?.token !== holder.token);
  }
}

function unlimited(): Omit<Token, "kind" | "name" | "scopes"> {
  return { tabs: "all", shared: new Set(), privateGranted: true, id: randomUUID() };
}

/** The entry of that digest. All are compared, whichever matches. */
function matching<Entry extends { digest: Buffer }>(entries: readonly Entry[], digest: Buffer): Entry | undefined {
  let found: Entry | undefined;
  for (const entry of entries) {
    if (timingSafeEqual(digest, entry.digest)) found = entry;
  }
  return found;
}

/** Hashing first gives `timingSafeEqual` equal lengths for any input, multibyte included. */
function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret, "utf8").digest();
}
