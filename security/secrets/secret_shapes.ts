/**
 * Secrets known by their shape alone. Every pattern is linear: it starts where a run of its characters starts, and its
 * repetitions are bounded or end in success.
 */

export const REDACTED = "[redacted]";

/** Tokens with a prefix of their issuer. Sources: the issuers' documentation and GitHub's secret scanning patterns. */
const PREFIXED = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    "gh[oprsu]_[A-Za-z0-9]{20,255}",
    "github_pat_\\w{20,255}",
    "glpat-[\\w-]{20,}",
    "xox[abceoprs]-[\\w-]{10,}",
    "xapp-[\\w-]{10,}",
    "(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}",
    "whsec_[A-Za-z0-9+/]{16,}",
    "sk-[\\w-]{16,}",
    "AIza[\\w-]{30,}",
    "ya29\\.[\\w-]{16,}",
    "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
    "npm_[A-Za-z0-9]{30,}",
    "hf_[A-Za-z0-9]{30,}",
    "pypi-[\\w-]{16,}",
    "SG\\.[\\w-]{16,}\\.[\\w-]{16,}",
    "dop_v1_[a-f0-9]{40,}",
    "shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32,}",
  ].join("|")})`,
  "g",
);

const JWT = /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,4}/g;
const SCHEME = /(?<![A-Za-z0-9])(Bearer|Basic|Digest)(\s{1,4})([A-Za-z0-9._~+/=-]{8,})/gi;
const USERINFO = /(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/)[^\s/?#@"'<>`\\]{1,400}@/g;
const LONG_RUN = /[A-Za-z0-9+/_-]{32,}={0,2}/g;
const CARD = /(?<![\w-])[2-6]\d(?:[ -]?\d){11,17}(?![\w-])/g;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

/** `text` with every secret that has a known shape replaced. */
export function withoutShapes(text: string): string {
  return withoutPem(text)
    .replace(USERINFO, `$1${REDACTED}@`)
    .replace(JWT, REDACTED)
    .replace(SCHEME, (all, scheme: string, gap: string, value: string) =>
      isCredential(value) ? `${scheme}${gap}${REDACTED}` : all,
    )
    .replace(PREFIXED, (token) => (/\d/.test(token) ? REDACTED : token))
    .replace(LONG_RUN, withoutRandom)
    .replace(CARD, (digits) => (isCardNumber(digits) ? REDACTED : digits));
}

/** PEM blocks by plain search: a lazy pattern would look for each missing end through the whole text. */
function withoutPem(text: string): string {
  let from = text.indexOf("-----BEGIN ");
  if (from === -1) return text;
  let done = 0;
  let out = "";
  while (from !== -1) {
    const end = text.indexOf("-----END ", from);
    out += text.slice(done, from) + REDACTED;
    // A block that was cut off hides all that follows.
    if (end === -1) return out;
    const close = text.indexOf("-----", end + "-----END ".length);
    done = close === -1 ? text.length : close + "-----".length;
    from = text.indexOf("-----BEGIN ", done);
  }
  return out + text.slice(done);
}

/** After "Basic" or "Bearer" a word such as "information" is prose. */
function isCredential(value: string): boolean {
  return /[\d=]/.test(value) || /[a-z][A-Z]/.test(value) || value.length >= 24;
}

const PATH_WORD = /^[A-Za-z]?[a-z_-]*$|^v?\d{1,4}$/;

/** In a path the plain words stay; base64 that happens to have slashes goes as a whole. */
function withoutRandom(run: string): string {
  const parts = run.split("/");
  if (!parts.some(isRandom)) return isRandom(run) ? REDACTED : run;
  return parts.map((part) => (PATH_WORD.test(part) ? part : REDACTED)).join("/");
}

/**
 * Is a long run of letters and digits random? In random text neighbors are of different kinds (lower, upper, digit)
 * more than half of the time; in slugs, paths and identifiers seldom, even camel-cased ones.
 */
function isRandom(run: string): boolean {
  const text = run.replace(UUID, "");
  let hasLower = false;
  let hasUpper = false;
  let letters = 0;
  let pairs = 0;
  let changes = 0;
  let digitGroups = 0;
  let before: Kind = "other";
  for (let index = 0; index < text.length; index += 1) {
    const kind = kindOf(text.charCodeAt(index));
    hasLower ||= kind === "lower";
    hasUpper ||= kind === "upper";
    if (kind !== "other") {
      letters += 1;
      if (kind === "digit" && before !== "digit") digitGroups += 1;
      if (before !== "other") pairs += 1;
      if (before !== "other" && before !== kind) changes += 1;
    }
    before = kind;
  }
  const rate = changes / Math.max(pairs, 1);
  return letters >= 28 && (hasLower && hasUpper ? digitGroups >= 2 && rate >= 0.3 : digitGroups >= 4 && rate >= 0.2);
}

type Kind = "lower" | "upper" | "digit" | "other";

function kindOf(code: number): Kind {
  if (code >= 97 && code <= 122) return "lower";
  if (code >= 65 && code <= 90) return "upper";
  return code >= 48 && code <= 57 ? "digit" : "other";
}

/** A number of a card network's prefix and length whose Luhn check digit is right (ISO/IEC 7812-1). */
function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, "");
  if (!/^(?:4\d{12}|4\d{15}|4\d{18}|5\d{15}|2[2-7]\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|6\d{15,18})$/.test(digits)) {
    return false;
  }
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - index));
    const doubled = digit * 2;
    sum += index % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
