/** What a caller holds. Tokens live in memory and die with the daemon. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export type TokenKind = "root" | "client" | "skill" | "panel";

export interface Token {
  kind: TokenKind;
  /** What the journal and `agents` call the holder. */
  name: string;
  scopes: ReadonlySet<string>;
}

/** 32 random bytes, as base64url. */
export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/** The tokens this daemon honours, looked up without leaking by time how much of a guess was right. */
export class TokenRegistry {
  #holders: { digest: Buffer; token: Token }[] = [];

  add(secret: string, token: Token): void {
    this.#holders.push({ digest: digestOf(secret), token });
  }

  /** The holder of `secret`; undefined when nobody is. Every entry is compared, whichever matches. */
  find(secret: string): Token | undefined {
    const digest = digestOf(secret);
    let found: Token | undefined;
    for (const holder of this.#holders) {
      if (timingSafeEqual(digest, holder.digest)) found = holder.token;
    }
    return found;
  }
}

/** Hashing first gives `timingSafeEqual` equal lengths for any input, multibyte included. */
function digestOf(secret: string): Buffer {
  return createHash("sha256").update(secret, "utf8").digest();
}
