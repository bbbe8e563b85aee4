/** Cookies as people export them: JSON of tools and browsers' extensions, Netscape's `cookies.txt`, a cURL command. */
import * as v from "valibot";
import { BrowseError } from "../../../errors.ts";

/** As the browser takes it; `expires` in seconds since 1970, -1 for a session cookie. */
export interface ImportedCookie {
  name: string;
  value: string;
  /** With a leading dot for subdomains too; empty when the file does not say. */
  domain: string;
  path: string;
  expires: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite: "Strict" | "Lax" | "None";
}

export interface CookieFile {
  format: "json" | "netscape" | "curl";
  cookies: ImportedCookie[];
}

/** More than a browser keeps of all sites together (Chromium's `kMaxCookies` is 3,300). */
const MAX_COOKIES = 5_000;

/** Throws `invalid_params`, with the line or entry that is wrong and never its value. */
export function parseCookieFile(text: string): CookieFile {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  if (trimmed === "") throw malformed("The file is empty");
  const file = parse(trimmed);
  if (file.cookies.length === 0) throw malformed("The file has no cookies in it");
  if (file.cookies.length > MAX_COOKIES) throw malformed(`The file has more than ${MAX_COOKIES} cookies`);
  return file;
}

function parse(text: string): CookieFile {
  if (/^[[{]/.test(text)) return { format: "json", cookies: fromJson(text) };
  if (/^curl(?:\.exe)?\s/i.test(text)) return { format: "curl", cookies: fromCurl(text) };
  return { format: "netscape", cookies: fromNetscape(text) };
}

/** Of the driver's storage states, and of the extensions that export cookies. */
const JsonCookieSchema = v.looseObject({
  name: v.string(),
  value: v.string(),
  domain: v.exactOptional(v.string()),
  host: v.exactOptional(v.string()),
  hostOnly: v.exactOptional(v.boolean()),
  path: v.exactOptional(v.string()),
  expires: v.exactOptional(v.nullable(v.union([v.number(), v.string()]))),
  expirationDate: v.exactOptional(v.nullable(v.number())),
  httpOnly: v.exactOptional(v.boolean()),
  secure: v.exactOptional(v.boolean()),
  sameSite: v.exactOptional(v.nullable(v.string())),
});

function fromJson(text: string): ImportedCookie[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw malformed("The file begins like JSON but does not parse");
  }
  const listed = Array.isArray(parsed) ? parsed : (parsed as { cookies?: unknown }).cookies;
  if (!Array.isArray(listed)) throw malformed('The JSON is neither a list of cookies nor an object with "cookies"');
  return listed.map((entry: unknown, index) => {
    const cookie = v.safeParse(JsonCookieSchema, entry);
    if (!cookie.success)
      throw malformed(`Entry ${index + 1} is not a cookie: ${fieldOf(cookie.issues[0])} is wrong or missing`);
    return fromJsonCookie(cookie.output);
  });
}

function fromJsonCookie(cookie: v.InferOutput<typeof JsonCookieSchema>): ImportedCookie {
  const { name, value, hostOnly, path = "/", httpOnly = false, secure = false } = cookie;
  const domain = cookie.domain ?? cookie.host ?? "";
  const bare = domain.replace(/^\./, "");
  return {
    name,
    value,
    domain: hostOnly === true ? bare : hostOnly === false && bare !== "" ? `.${bare}` : domain,
    path,
    expires: expiryFrom(cookie.expirationDate ?? cookie.expires ?? -1),
    httpOnly,
    secure,
    sameSite: sameSiteFrom(cookie.sameSite ?? "lax"),
  };
}

/** Seconds, milliseconds (no cookie lives to the year 5000), or a date. */
function expiryFrom(value: number | string): number {
  const seconds = typeof value === "number" ? value : Date.parse(value) / 1000;
  if (!(seconds > 0)) return -1;
  return seconds > 1e11 ? seconds / 1000 : seconds;
}

/** `no_restriction` is what browsers' extensions call None, `unspecified` what browsers treat as Lax. */
function sameSiteFrom(text: string): ImportedCookie["sameSite"] {
  if (/^strict$/i.test(text)) return "Strict";
  return /^(?:none|no_restriction)$/i.test(text) ? "None" : "Lax";
}

const HTTP_ONLY = "#HttpOnly_";

/** Seven fields by tabs: domain, subdomains, path, secure, expiry, name, value (curl's and Netscape's form). */
function fromNetscape(text: string): ImportedCookie[] {
  const lines = text.split(/\r?\n/).map((line, index) => ({ line, number: index + 1 }));
  const wanted = lines.filter(
    ({ line }) => line.trim() !== "" && (!line.startsWith("#") || line.startsWith(HTTP_ONLY)),
  );
  return wanted.map(({ line, number }) => {
    const httpOnly = line.startsWith(HTTP_ONLY);
    const [domain, subdomains, path, secure, expires, name, ...value] = (
      httpOnly ? line.slice(HTTP_ONLY.length) : line
    ).split("\t");
    if (
      !domain ||
      name === undefined ||
      !/^\d+(?:\.\d+)?$/.test(expires ?? "") ||
      !/^(?:TRUE|FALSE)$/i.test(secure ?? "")
    ) {
      throw malformed(`Line ${number} is not a cookie: it needs seven fields with tabs between them`);
    }
    const bare = domain.replace(/^\./, "");
    return {
      name,
      value: value.join("\t"),
      domain: /^TRUE$/i.test(subdomains ?? "") ? `.${bare}` : bare,
      path: path || "/",
      expires: expiryFrom(Number(expires)),
      httpOnly,
      secure: /^TRUE$/i.test(secure ?? ""),
      sameSite: "Lax",
    };
  });
}

/** A word of a shell, as browsers quote it when they copy a request: '…', "…", $'…' or bare. */
const SHELL_WORD = /\$'((?:[^'\\]|\\.)*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|((?:[^\s'"\\]|\\.)+)/g;

function fromCurl(text: string): ImportedCookie[] {
  const words = [...text.replace(/[\\^]\r?\n/g, " ").matchAll(SHELL_WORD)].map(
    ([, ansi, single, double, bare]) => (ansi ?? double ?? bare)?.replace(/\\(.)/gs, "$1") ?? single ?? "",
  );
  const after = (flags: readonly string[]) =>
    words.flatMap((word, index) => (flags.includes(word) ? [words[index + 1] ?? ""] : []));
  const headers = after(["-H", "--header"]).flatMap((header) => /^cookie:\s*(.*)$/is.exec(header)?.[1] ?? []);
  const pairs = [...headers, ...after(["-b", "--cookie"])].flatMap((list) => list.split(/;\s*/));
  const url = words
    .slice(1)
    .flatMap((word) => URL.parse(word) ?? [])
    .find(({ protocol }) => /^https?:$/.test(protocol));
  return pairs
    .filter((pair) => pair.includes("="))
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf("=")).trim(),
      value: pair.slice(pair.indexOf("=") + 1).trim(),
      domain: url?.hostname ?? "",
      path: "/",
      expires: -1,
      httpOnly: false,
      secure: url?.protocol === "https:",
      sameSite: "Lax" as const,
    }));
}

/** May a cookie of that domain be set for that host: its own, of a domain above it, or of one below it? */
export function fitsHost(domain: string, host: string): boolean {
  const cookie = domain.replace(/^\./, "").toLowerCase();
  const wanted = host.replace(/^\./, "").toLowerCase();
  // A domain without a dot is a name of this network, or a whole top-level domain.
  const isBroad = !cookie.includes(".");
  return cookie === wanted || (!isBroad && wanted.endsWith(`.${cookie}`)) || cookie.endsWith(`.${wanted}`);
}

function fieldOf(issue: v.BaseIssue<unknown>): string {
  const key = issue.path?.[0]?.key;
  return key === undefined ? "its form" : `"${String(key)}"`;
}

function malformed(message: string): BrowseError {
  return new BrowseError("invalid_params", message, {
    hint: "It takes JSON ([{name, value, domain, …}]), Netscape's cookies.txt, or a cURL command with its cookies",
  });
}
