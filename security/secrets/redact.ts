/**
 * The one redactor, for everything that is logged, journaled or shown: by name (`password`, `Set-Cookie`), by shape
 * (JWT, vendor tokens, card numbers), and by origin (what was typed into fields that hide it). It never throws, and redacting twice is redacting once.
 */
import { cutText, headOf, withRest } from "../content/cut_text.ts";
import { redactNamed } from "./redact_named.ts";
import { isSecretName, isSecretPair } from "./secret_names.ts";
import { REDACTED, withoutShapes } from "./secret_shapes.ts";
import { isTypedSecret, withoutTypedSecrets } from "./typed_secrets.ts";

/** Deeper structures are cut off: nothing that is logged needs them. */
const MAX_DEPTH = 32;

/** A secret that goes can lay bare another beside it; nothing needs more rounds than this. */
const MAX_ROUNDS = 8;

/**
 * Looked at in one go. Patterns over a run of millions of characters overflow the regular expression engine's stack, and
 * a page chooses how long its titles, addresses and headers are.
 */
const PIECE = 32_768;
/** How far back a piece may end, so that it ends where a word does. */
const MAX_WORD = 2_048;
/** Addresses are cut there: browsers and servers agree on no longer ones (RFC 9110, 4.1, asks for 8,000). */
const MAX_URL = 8_192;
/** A secret that begins before a cut is looked for beyond it. */
const LOOK_AHEAD = 4_000;

/** `text` with secrets replaced: `name=value` and `"name": "value"` with a secret name, and known shapes anywhere. */
export function redactText(text: string): string {
  if (text.length <= PIECE) return redactWhole(text);
  let out = "";
  for (let from = 0; from < text.length; ) {
    const to = endOfPiece(text, from);
    out += redactWhole(text.slice(from, to));
    from = to;
  }
  return out;
}

/**
 * The first `maxLength` characters of `text` without its secrets, with a word on how many follow. What follows is never
 * looked at, so that text of any length costs the same.
 */
export function redactCut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return redactText(text);
  const begun = redactText(headOf(text, maxLength + LOOK_AHEAD)).slice(0, maxLength);
  return withRest(begun.toWellFormed(), text, maxLength);
}

/** Where a piece that begins at `from` ends: after white space, if there is any near its bound. */
function endOfPiece(text: string, from: number): number {
  const bound = from + PIECE;
  if (bound >= text.length) return text.length;
  for (let at = bound; at > bound - MAX_WORD; at--) if (/\s/.test(text.charAt(at - 1))) return at;
  return bound;
}

function redactWhole(text: string): string {
  let known = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // What was redacted before stays as it is, and what lies between is judged alone.
    const next = known.split(REDACTED).map(redactPiece).join(REDACTED);
    if (next === known) break;
    known = next;
  }
  return known;
}

function redactPiece(piece: string): string {
  return withoutShapes(redactNamed(withoutTypedSecrets(piece)));
}

/**
 * A URL with its user info, secret query and fragment parameters, and secret-looking path parts replaced; no longer than
 * 8,192 characters and a word on how many follow.
 */
export function redactUrl(url: string): string {
  return url.length > MAX_URL ? withRest(redactShort(headOf(url, MAX_URL)), url, MAX_URL) : redactShort(url);
}

/** User and password before the host. */
const CREDENTIALS = /^([a-z][a-z0-9+.-]{0,20}:\/\/)[^/?#@]{0,8192}@/i;

/** An address that a page chose, as answers tell it: no longer than that, with the secrets of its query, but no password. */
export function cutUrl(url: string): string {
  return cutText(url, MAX_URL).replace(CREDENTIALS, "$1");
}

function redactShort(url: string): string {
  const [, base = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
  return `${redactText(base)}${redactPairs(query)}${redactPairs(fragment)}`;
}

/** `?a=b&c=d` or `#a=b`, each value by its name and its decoded shape. */
function redactPairs(text: string): string {
  if (text === "") return "";
  const pairs = text
    .slice(1)
    .split("&")
    .map((pair) => {
      const at = pair.indexOf("=");
      if (at === -1) return redactText(pair);
      const name = decoded(pair.slice(0, at));
      const value = decoded(pair.slice(at + 1));
      const isSecret =
        value !== "" &&
        (isTypedSecret(value) || isSecretPair(name, value, { inQuery: true }) || redactText(value) !== value);
      return isSecret ? `${pair.slice(0, at)}=${REDACTED}` : pair;
    });
  return `${text.charAt(0)}${pairs.join("&")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    // Not percent-encoded text after all: it is judged as it stands.
    return text;
  }
}

/** A named value: whole if the name says so, else what is secret inside it. Booleans and null are kept. */
export function redactValue(name: string, value: unknown): unknown {
  return redactAny(name, value, { depth: 0, limits: UNLIMITED });
}

/** How much of a value is looked at; the rest is left out. */
export interface RedactLimits {
  /** Characters of one text. */
  maxText: number;
  /** Of one list or object. */
  maxItems: number;
}

const UNLIMITED: RedactLimits = { maxText: Number.POSITIVE_INFINITY, maxItems: Number.POSITIVE_INFINITY };

/** What a record of a call keeps: long text is what the call carried, not what it was. */
export const RECORDED: RedactLimits = { maxText: 2_000, maxItems: 200 };

/**
 * Params or a result, recursively. The values of the params in `sensitive` (typed text, for instance) are replaced
 * whatever they are.
 */
export function redactParams(
  params: Record<string, unknown>,
  sensitive: readonly string[],
  limits: RedactLimits = UNLIMITED,
): Record<string, unknown> {
  const entries = members(params, limits).map(([name, value]) => {
    const isHidden = sensitive.includes(name) && value !== undefined && value !== null;
    return [name, isHidden ? REDACTED : redactAny(name, value, { depth: 0, limits })];
  });
  return Object.fromEntries(entries);
}

interface Descent {
  depth: number;
  limits: RedactLimits;
}

function members(object: object, { maxItems }: RedactLimits): [string, unknown][] {
  return Object.entries(object).slice(0, maxItems);
}

function redactAny(name: string, value: unknown, descent: Descent): unknown {
  const { depth, limits } = descent;
  if (depth > MAX_DEPTH) return "[too deep]";
  if (typeof value === "string") {
    if (value !== "" && (isTypedSecret(value) || isSecretPair(name, value))) return REDACTED;
    if (value.length > limits.maxText) return redactCut(value, limits.maxText);
    return isUrl(value) ? redactUrl(value) : redactText(value);
  }
  if (typeof value === "number" || typeof value === "bigint") {
    return isSecretPair(name, String(value)) ? REDACTED : value;
  }
  const inside: Descent = { depth: depth + 1, limits };
  if (Array.isArray(value)) return value.slice(0, limits.maxItems).map((item) => redactAny(name, item, inside));
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return value;
  if (typeof value === "object" && value !== null) return redactObject(name, value, inside);
  return value;
}

/** Members of a secret (`{credentials: {user, key}}`) are secret; a list of cookies or headers is judged by their names. */
function redactObject(name: string, object: object, inside: Descent): Record<string, unknown> {
  const entries = members(object, inside.limits);
  const label = entries.find(([key, value]) => (key === "name" || key === "key") && typeof value === "string")?.[1];
  const isSecret = isSecretName(name) && !/cookies$/i.test(name);
  const redacted = entries.map(([key, value]) => {
    const known = key === "value" && typeof label === "string" ? label : key;
    return [key, redactAny(isSecret && label === undefined ? name : known, value, inside)];
  });
  return Object.fromEntries(redacted);
}

function isUrl(text: string): boolean {
  if (text.length > MAX_URL) return false;
  return /^[a-z][a-z0-9+.-]{1,20}:\/\/\S*$/i.test(text);
}
