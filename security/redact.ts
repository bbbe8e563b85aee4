/**
 * The one redactor, for everything that is logged, journaled or shown: by name (`password`, `Set-Cookie`) and by shape
 * (JWT, vendor tokens, card numbers). It never throws, and redacting twice is redacting once.
 */
import { redactNamed } from "./redact_named.ts";
import { isSecretName, isSecretPair } from "./secret_names.ts";
import { REDACTED, withoutShapes } from "./secret_shapes.ts";

/** Deeper structures are cut off: nothing that is logged needs them. */
const MAX_DEPTH = 32;

/** A secret that goes can lay bare another beside it; nothing needs more rounds than this. */
const MAX_ROUNDS = 8;

/** `text` with secrets replaced: `name=value` and `"name": "value"` with a secret name, and known shapes anywhere. */
export function redactText(text: string): string {
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
  return withoutShapes(redactNamed(piece));
}

/** A URL with its user info, secret query and fragment parameters, and secret-looking path parts replaced. */
export function redactUrl(url: string): string {
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
      const isSecret = value !== "" && (isSecretPair(name, value, { inQuery: true }) || redactText(value) !== value);
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
  return redactAny(name, value, 0);
}

/**
 * Params or a result, recursively. The values of the params in `sensitive` (typed text, for instance) are replaced
 * whatever they are.
 */
export function redactParams(params: Record<string, unknown>, sensitive: readonly string[]): Record<string, unknown> {
  const entries = Object.entries(params).map(([name, value]) => {
    const isHidden = sensitive.includes(name) && value !== undefined && value !== null;
    return [name, isHidden ? REDACTED : redactAny(name, value, 0)];
  });
  return Object.fromEntries(entries);
}

function redactAny(name: string, value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return "[too deep]";
  if (typeof value === "string") {
    if (value !== "" && isSecretPair(name, value)) return REDACTED;
    return isUrl(value) ? redactUrl(value) : redactText(value);
  }
  if (typeof value === "number" || typeof value === "bigint") {
    return isSecretPair(name, String(value)) ? REDACTED : value;
  }
  if (Array.isArray(value)) return value.map((item) => redactAny(name, item, depth + 1));
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return value;
  if (typeof value === "object" && value !== null) return redactObject(name, value, depth);
  return value;
}

/** Members of a secret (`{credentials: {user, key}}`) are secret; a list of cookies or headers is judged by their names. */
function redactObject(name: string, object: object, depth: number): Record<string, unknown> {
  const members = Object.entries(object);
  const label = members.find(([key, value]) => (key === "name" || key === "key") && typeof value === "string")?.[1];
  const isSecret = isSecretName(name) && !/cookies$/i.test(name);
  const entries = members.map(([key, value]) => {
    const known = key === "value" && typeof label === "string" ? label : key;
    return [key, redactAny(isSecret && label === undefined ? name : known, value, depth + 1)];
  });
  return Object.fromEntries(entries);
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]{1,20}:\/\/\S*$/i.test(text);
}
