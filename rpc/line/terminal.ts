/** Makes text safe to print and safe to send. */
import { textShown, withoutInvisible } from "../../security/content/invisible.ts";

/** What a terminal would act on instead of showing: C0 but tab, newline and CR LF, DEL, C1. A CR alone would overwrite its line. */
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)/g;

/** A JSON escape of a backslash, or of a surrogate: `JSON.stringify` writes the latter for lone ones only. */
const BACKSLASH_OR_SURROGATE = /\\(?:\\|ud[89a-f][0-9a-f]{2})/g;

/**
 * Text with control characters written as `\xNN`, without invisible ones, and with lone surrogates replaced, so that no page
 * can drive a terminal, or make its text look like another's.
 */
export function printable(text: string): string {
  return withoutInvisible(wellFormed(text).replace(CONTROL, (character) => `\\x${hex(character, 2)}`));
}

/** JSON on one line that is safe to print: the same value, with what JSON leaves raw escaped too. */
export function printableJson(value: unknown): string {
  return escapedJson(wellFormedJson(value));
}

/** JSON that is safe to print. */
export function escapedJson(json: string): string {
  return textShown(json.replace(CONTROL, unitsEscaped), unitsEscaped);
}

/** Text with each lone surrogate replaced by U+FFFD: some consumers refuse a whole message for one. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** `JSON.stringify` with each lone surrogate, in keys too, replaced by U+FFFD. */
export function wellFormedJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes("\\ud")) return text;
  return text.replace(BACKSLASH_OR_SURROGATE, (match) => (match === "\\\\" ? match : "\ufffd"));
}

/** The value as `render` puts it, which may quote by `JSON.stringify`, that would spell lone surrogates out. */
export function wellFormedText<T>(value: T, render: (value: T) => string): string {
  const text = render(value);
  return text.includes("\\ud") ? render(JSON.parse(wellFormedJson(value)) as T) : text;
}

function unitsEscaped(character: string): string {
  return Array.from({ length: character.length }, (_, unit) => `\\u${hex(character.charAt(unit), 4)}`).join("");
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, "0");
}
