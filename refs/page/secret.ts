/** Which fields hold something that must not be shown. */
import { attributeOf, tagOf } from "./dom.ts";

export const MASK = "•••";

const SECRET_AUTOCOMPLETE = /\b(one-time-code|current-password|new-password|cc-number|cc-csc)\b/i;
const ONE_TIME_CODE =
  /(^|[^a-z])(otp|totp|one[-_ ]?time[-_ ]?(code|pass\w*)|(2fa|mfa|verification|passcode)[-_ ]?(code|token)?|csc|cvc|cvv)([^a-z]|$)/i;

/** A password field that the page shows in plain text still has its name. */
const PASSWORD = /(^|[^a-z])(pass(word|wd|phrase)?|passwd|pwd)$|^(pass(word|wd|phrase)?|pwd)[^a-z]/i;

/** True for passwords, one-time codes and card numbers, also once a page has switched a password to plain text. */
export function isSecret(field: Element): boolean {
  const tag = tagOf(field);
  if (tag !== "input" && tag !== "textarea") return false;
  const type = (attributeOf(field, "type") ?? "text").toLowerCase();
  if (type === "password") return true;
  if (["checkbox", "radio", "submit", "button", "reset", "image", "file", "range", "color", "hidden"].includes(type)) {
    return type === "hidden";
  }
  if (SECRET_AUTOCOMPLETE.test(attributeOf(field, "autocomplete") ?? "")) return true;
  return [attributeOf(field, "name"), attributeOf(field, "id")].some(
    (text) => text !== null && (ONE_TIME_CODE.test(separated(text)) || PASSWORD.test(separated(text))),
  );
}

/** `otpCode` and `otp2` as words of their own. */
function separated(text: string): string {
  return text.replace(/([a-z])([A-Z])/g, "$1-$2").replace(/\d+/g, "-");
}
