/**
 * What later calls can be held against, as hashes only: where a param's value stood in an earlier answer of its session,
 * and whether two calls were given, or answered, the same. Keys of this daemon's own, which are written nowhere.
 */
import { createHmac, hash, randomBytes } from "node:crypto";
import { isTypedSecret } from "../../security/secrets/typed_secrets.ts";
import { type Leaf, leavesOf } from "./result_shape.ts";

/** Shorter values are like all kinds of others. Characters. */
const MIN_LENGTH = 3;
/** Longer ones are texts, which nobody hands on. Characters. */
const MAX_LENGTH = 2_000;
/** Texts kept of a session, the newest of them, and sessions. */
const MAX_TEXTS = 5_000;
const MAX_SESSIONS = 20;
/** Of one answer, hashed for its digest. Characters. */
const MAX_DIGESTED = 65_536;
const DIGEST_CHARS = 16;
/** Refs and tabs: given again in nearly every call, and nothing of the page. */
const OURS = /^(?:@[ec]|t)\d+$/;

/** A param whose value an earlier call had answered. */
export interface Origin {
  /** `url`, `values.0`. */
  param: string;
  /** The id of that call, and where in its result: `links.3.url`; `text:14` is a line of it. */
  call: string;
  path: string;
}

/** A param that no record shows. */
export interface HiddenValue {
  param: string;
  /** The same for the same value, with letters of any case; absent for what a field hides. */
  digest?: string;
}

export class CallMemory {
  readonly #key = randomBytes(32);
  readonly #seed = randomBytes(4).readUInt32LE();
  readonly #sessions = new Map<string, Map<number, { call: string; path: string }>>();

  /** Of a value, as long as this daemon lives. */
  digestOf(value: string): string {
    return createHmac("sha256", this.#key).update(value.toLowerCase()).digest("hex").slice(0, DIGEST_CHARS);
  }

  /** Of an answer: of as many of its texts as fit the bound, and the length of all. */
  digestOfTexts(leaves: readonly Leaf[], shape: string): string {
    let all = shape;
    for (const { text } of leaves) {
      if (all.length >= MAX_DIGESTED) break;
      all += `\n${text.slice(0, MAX_DIGESTED - all.length)}`;
    }
    return hash("sha256", `${this.#key.toString("hex")}${all}`).slice(0, DIGEST_CHARS);
  }

  /** Keeps where the texts of an answer stood. */
  note(session: string, call: string, leaves: readonly Leaf[]): void {
    const texts = this.#sessions.get(session) ?? new Map<number, { call: string; path: string }>();
    this.#sessions.delete(session);
    this.#sessions.set(session, texts);
    dropOldest(this.#sessions, MAX_SESSIONS);
    for (const { path, text } of leaves) if (isKept(text)) texts.set(this.#hash(text), { call, path });
    dropOldest(texts, MAX_TEXTS);
  }

  /** Which params came from earlier answers of the session. */
  originsOf(session: string, params: Readonly<Record<string, unknown>>): Origin[] {
    const texts = this.#sessions.get(session);
    if (!texts || texts.size === 0) return [];
    return leavesOf(params, new Set(Object.keys(params))).flatMap(({ path, text }) => {
      const found = isKept(text) ? texts.get(this.#hash(text)) : undefined;
      return found ? [{ param: path, ...found }] : [];
    });
  }

  /** Those of the params that are written down as hidden. */
  hiddenIn(params: Readonly<Record<string, unknown>>, hidden: readonly string[]): HiddenValue[] {
    return hidden.flatMap((param) => {
      const value = params[param];
      if (typeof value !== "string" || value === "" || value.length > MAX_LENGTH) return [];
      return [{ param, ...(!isTypedSecret(value) && { digest: this.digestOf(value) }) }];
    });
  }

  /** By Bryc's cyrb53, from a seed of our own: fast, and of 53 bits. */
  #hash(text: string): number {
    let a = 0xdeadbeef ^ this.#seed;
    let b = 0x41c6ce57 ^ this.#seed;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 2_654_435_761);
      b = Math.imul(b ^ code, 1_597_334_677);
    }
    a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
    b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
    return 4_294_967_296 * (2_097_151 & b) + (a >>> 0);
  }
}

function isKept(text: string): boolean {
  return text.length >= MIN_LENGTH && text.length <= MAX_LENGTH && !OURS.test(text);
}

function dropOldest(map: Map<unknown, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) break;
    map.delete(oldest);
  }
}
