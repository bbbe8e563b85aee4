/** Secrets in running text that are known by the name before them: `password=…`, `"token": "…"`, `Cookie: …`. */
import { isHeaderName, isSecretName, isSecretPair } from "./secret_names.ts";
import { REDACTED } from "./secret_shapes.ts";
import { isTypedSecret } from "./typed_secrets.ts";

/** A name at the start of its run, the quote that ends it, and the sign between it and its value. */
const NAME = /(?:(?<![\w.-])|(?<=(?<![\w-])--?))([A-Za-z_][\w.-]{0,63})(?:\\{0,8}["'`])?(?:\s{0,3}(?:=>|:|=)\s{0,3})/g;
/** `--password hunter2`. */
const FLAG = /(?<![\w-])--?([A-Za-z][\w-]{1,40})[ \t]{1,3}(?!-)/g;

const OPENING_QUOTE = /\\{0,8}["'`]/y;
const AUTH_SCHEME = "(?:(?:Bearer|Basic|Digest|Token)\\s{1,4})?";
const VALUE_AFTER_EQUALS = new RegExp(`${AUTH_SCHEME}[^\\s&,;"'\`<>()[\\]{}|\\\\]+`, "iy");
const VALUE_AFTER_COLON = new RegExp(`${AUTH_SCHEME}[^\\s"'\`<>[\\]{}\\\\]*[^\\s"'\`<>[\\]{}\\\\,;)]`, "iy");
const REST_OF_LINE = /[^\r\n]+/y;
const MAX_DOUBTFUL_VALUE = 512;
const HARMLESS = /^(?:true|false|null|undefined|none)$/i;

export function redactNamed(text: string): string {
  return redactAfter(redactAfter(text, NAME), FLAG);
}

function redactAfter(text: string, names: RegExp): string {
  const pattern = new RegExp(names);
  let out = "";
  let done = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const name = match[1] ?? "";
    const from = pattern.lastIndex;
    // A value that may turn out harmless is looked for in a bounded window, so that `key:key:key:…` stays linear.
    const scope = isSecretName(name) ? text : text.slice(0, from + MAX_DOUBTFUL_VALUE);
    const value = valueAt(scope, from, name, match);
    if (value === undefined) continue;
    const secret = text.slice(value.from, value.to);
    const inQuery = /[?&]/.test(text.charAt(match.index - 1));
    const isSecret = isTypedSecret(secret) || (!HARMLESS.test(secret) && isSecretPair(name, secret, { inQuery }));
    if (!isSecret) continue;
    out += text.slice(done, value.from) + REDACTED;
    done = value.to;
    pattern.lastIndex = value.to;
  }
  return out + text.slice(done);
}

/** Where the value after a name starts and ends; undefined when there is none. */
function valueAt(text: string, from: number, name: string, match: RegExpExecArray): Span | undefined {
  const quote = matchAt(OPENING_QUOTE, text, from);
  if (quote !== "") return quotedAt(text, from + quote.length, quote);
  if (isHeaderName(name)) return headerAt(text, from, text.charAt(match.index - 1));
  const unquoted = matchAt(match[0].includes(":") ? VALUE_AFTER_COLON : VALUE_AFTER_EQUALS, text, from);
  return unquoted === "" ? undefined : { from, to: from + unquoted.length };
}

interface Span {
  from: number;
  to: number;
}

/** Up to the same quote with no more backslashes than the opening one; without one, to the end of the line. */
function quotedAt(text: string, from: number, opening: string): Span | undefined {
  const quote = opening.slice(-1);
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    let start = at;
    while (start > from && text[start - 1] === "\\") start -= 1;
    if (at - start <= opening.length - 1) return start === from ? undefined : { from, to: start };
  }
  return lineAt(text, from);
}

/** To the end of the line, or to the quote that the whole header is in: `-H "Cookie: …"`. */
function headerAt(text: string, from: number, before: string): Span | undefined {
  if (before === '"' || before === "'") return quotedAt(text, from, before);
  return lineAt(text, from);
}

function lineAt(text: string, from: number): Span | undefined {
  const line = matchAt(REST_OF_LINE, text, from);
  return line === "" ? undefined : { from, to: from + line.length };
}

function matchAt(sticky: RegExp, text: string, from: number): string {
  sticky.lastIndex = from;
  return sticky.exec(text)?.[0] ?? "";
}
