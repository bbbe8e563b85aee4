/** Which names (of params, headers, cookies, storage keys, query parameters) mean that the value is a secret. */

/** Parts that make a name secret wherever they stand in it; matched against the name in lower case, without separators. */
const SECRET_PARTS =
  /passw(?:or)?d|passphrase|passcode|secret(?!ar)|token(?!s|iz)|apikey|privatekey|accesskey|signingkey|encryptionkey|authorization|cookie|credential|csrf|xsrf|sessionid|sessid|cardnum|cardno|creditcard|ccnum|securitycode|accountnumber|onetimecode|verificationcode/;

/** Names that are secret only as a whole. */
const SECRET_WORDS = new Set(["pwd", "cvv", "cvv2", "cvc", "cvc2", "csc", "otp", "totp", "jwt", "ssn", "iban"]);

/** A name that ends so speaks about a secret, it is not one: `tokenType`, `cookieName`, `passwordLength`. */
const ABOUT =
  /(?:name|count|type|length|size|ttl|expires|expiry|expiresin|age|policy|limit|enabled|at|ms|domain|path)$/;

/** Common words that now and then name a secret; then the value has to look like one. */
const MAYBE = /^(?:session|sid|connectsid|auth|bearer|sig|tokens|key)$|signature$/;

/** Also secret-looking when they are query parameters: OAuth and signed links. */
const MAYBE_IN_QUERY = new Set(["code", "state", "nonce", "hmac", "ticket", "assertion"]);

const HEADER_NAMES = new Set(["authorization", "proxyauthorization", "cookie", "setcookie"]);

/** Does this name alone say that its value is secret? */
export function isSecretName(name: string): boolean {
  const plain = plainName(name);
  return (SECRET_PARTS.test(plain) || SECRET_WORDS.has(plain)) && !ABOUT.test(plain);
}

/** Does the name say it, or do name and value together? */
export function isSecretPair(name: string, value: string, options: { inQuery?: boolean } = {}): boolean {
  if (isSecretName(name)) return true;
  const plain = plainName(name);
  if (plain === "pin") return /^\d{3,8}$/.test(value);
  if (MAYBE.test(plain)) return isOpaque(value, 16);
  return options.inQuery === true && MAYBE_IN_QUERY.has(plain) && isOpaque(value, 10);
}

/** Headers whose value goes on to the end of the line. */
export function isHeaderName(name: string): boolean {
  return HEADER_NAMES.has(plainName(name));
}

function plainName(name: string): string {
  return name
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}

/** Looked at of a value; a page chooses how long it is. Characters. */
const MAX_LOOK = 4_096;

/** Long, without spaces, with letters and digits: no word that a person chose. */
function isOpaque(whole: string, minLength: number): boolean {
  const value = whole.slice(0, MAX_LOOK);
  return value.length >= minLength && /^[\w+/.=~%|:-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}
