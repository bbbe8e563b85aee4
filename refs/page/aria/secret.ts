/** Which fields hold something that must not be shown: one rule for every answer that could show it. */
import { isSecretPair } from "../../../security/secrets/secret_names.ts";
import { attributeOf, fold, queryAll, referenced, tagOf, textContentOf } from "../dom/dom.ts";
import type { Reading } from "./reading.ts";

export const MASK = "•••";

/** What is chosen, sent along or no secret by its format. */
const NEVER_SECRET = new Set(
  "checkbox radio submit button reset image file range color email date datetime-local month week time".split(" "),
);

const SECRET_AUTOCOMPLETE = /\b(one-time-code|current-password|new-password|cc-number|cc-csc)\b/i;
const ONE_TIME_CODE =
  /(^|[^a-z])(otp|totp|one[-_ ]?time[-_ ]?(code|pass\w*)|(twofa|mfa|verification|passcode)[-_ ]?(code|token)?|(sms|auth|authentication|authenticator|security|login)[-_ ]?(code|pin)|csc|cvc|cvv)([^a-z]|$)/i;

/** A password field that the page shows in plain text still has its name. */
const PASSWORD = /(^|[^a-z])(pass(word|wd|phrase)?|passwd|pwd)$|^(pass(word|wd|phrase)?|pwd)[^a-z]/i;

/** What a field is called by a page that asks for a secret; labels are prose, so only whole phrases count. */
const LABEL =
  /\b(password(?! (hint|length|manager|name|policy|reset))|passcode|passphrase|otp|totp|cvv|cvc|card number|(one[- ]time|2fa|two-factor|verification|security|authentication|authenticator|sms|login|\d[- ]digit) (code|passcode|password|pin|token)|code (from|in) (the |your )?(sms|text message|authenticator))\b|^(enter )?(your )?pin( number)?\W*$/i;

/** Fields that have been password fields: a page that lets people see what they type makes them plain ones. */
const oncePasswords = new WeakSet<Element>();

export function rememberPassword(field: Element): void {
  oncePasswords.add(field);
}

/** Whatever the page does to them later. Asked before every answer: 1 µs for 1,000 elements. */
export function rememberPasswords(): void {
  for (const field of queryAll(document, "input[type=password]")) rememberPassword(field);
}

/** True for passwords, one-time codes, card numbers and tokens, and for whatever a page has hidden in a field. */
export function isSecret(field: Element, reading: Reading): boolean {
  return typeOf(field) === "hidden" || holdsSecret(field, reading);
}

/** The same, of fields whose purpose says so: a hidden field alone is no secret. */
export function holdsSecret(field: Element, reading: Reading): boolean {
  const type = typeOf(field);
  if (type === undefined) return false;
  if (type === "password" || oncePasswords.has(field)) return true;
  if (NEVER_SECRET.has(type)) return false;
  return SECRET_AUTOCOMPLETE.test(attributeOf(field, "autocomplete") ?? "") || isNamedSecret(field, reading);
}

/** Undefined for what no one types into. */
function typeOf(field: Element): string | undefined {
  const tag = tagOf(field);
  if (tag === "input") return (attributeOf(field, "type") ?? "text").toLowerCase();
  return tag === "textarea" ? tag : undefined;
}

function isNamedSecret(field: Element, reading: Reading): boolean {
  const name = attributeOf(field, "name");
  const words = [name, attributeOf(field, "id")].map((text) => separated(text ?? ""));
  if (words.some((text) => ONE_TIME_CODE.test(text) || PASSWORD.test(text))) return true;
  if (name && valuesOf(field).some((value) => value !== "" && isSecretPair(name, value))) return true;
  return labelsOf(field, reading).some((label) => LABEL.test(label));
}

/** What it holds now, and what it was served with. */
function valuesOf(field: Element): string[] {
  const served = attributeOf(field, "value") ?? textContentOf(field) ?? "";
  return "value" in field ? [String(field.value), served] : [served];
}

/** All that a person could take for its name, wherever the name itself comes from. */
function labelsOf(field: Element, reading: Reading): string[] {
  const attributes = ["aria-label", "placeholder", "title"].map((name) => attributeOf(field, name) ?? "");
  const elements = [...referenced(field, "aria-labelledby"), ...reading.labelsOf(field)];
  return [...attributes, ...elements.map((element) => textContentOf(element) ?? "")].map(fold);
}

/** `otpCode`, `otp2` and `2fa` as words of their own. */
function separated(text: string): string {
  return text
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replace(/(?<![a-z0-9])2fa(?![a-z0-9])|two[-_ ]?factor/gi, "twofa")
    .replace(/\d+/g, "-");
}
