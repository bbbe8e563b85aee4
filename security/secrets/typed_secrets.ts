/**
 * What was put into fields that hide it: passwords and codes, which pages send under any name (`pw`, `kennwort`,
 * `user[pass]`). In memory only, the newest of them; a page cannot choose what is taken down, only who fills a field.
 */
import { REDACTED } from "./secret_shapes.ts";

const MAX_SECRETS = 50;
/** Longer ones are no passwords: keys, which have shapes, and texts. Characters. */
const MAX_LENGTH = 200;
/** All kinds of values are like those that are shorter. Characters. */
const MIN_LENGTH = 3;
/** Shorter ones stand in too much that is none: they are known only as the whole of a value. Characters. */
const MIN_ANYWHERE = 6;

const typed = new Set<string>();
/** What we made ourselves, and gave to somebody who is to keep it. */
const given = new Set<string>();
const MAX_GIVEN = 500;
/** The long ones, in the forms that they travel in. */
let anywhere: readonly string[] = [];

/** `begun`: what was taken down of it before, when it is typed key by key. */
export function noteTypedSecret(value: string, begun = ""): void {
  typed.delete(begun);
  if (value.length < MIN_LENGTH || value.length > MAX_LENGTH) return;
  typed.delete(value);
  typed.add(value);
  keepNewest(typed, MAX_SECRETS);
  findAnywhere();
}

/** No field was filled with it, and no page can have it forgotten by filling others. */
export function noteGivenSecret(value: string): void {
  given.add(value);
  keepNewest(given, MAX_GIVEN);
  findAnywhere();
}

function keepNewest(values: Set<string>, most: number): void {
  for (const oldest of values) {
    if (values.size <= most) break;
    values.delete(oldest);
  }
}

function findAnywhere(): void {
  const forms = new Set([...typed, ...given].filter(({ length }) => length >= MIN_ANYWHERE).flatMap(formsOf));
  // One that holds another goes first, or its end would stay.
  anywhere = [...forms].toSorted((a, b) => b.length - a.length);
}

/** As it was typed, or as a form or JSON carries it. */
export function isTypedSecret(value: string): boolean {
  if (typed.size === 0 || value.length > 3 * MAX_LENGTH) return false;
  return typed.has(value) || typed.has(unescaped(value));
}

/** The text without the longer ones, wherever they stand. */
export function withoutTypedSecrets(text: string): string {
  return anywhere.reduce((left, secret) => (left.includes(secret) ? left.replaceAll(secret, REDACTED) : left), text);
}

function formsOf(value: string): string[] {
  const percent = encodeURIComponent(value.toWellFormed());
  return [value, JSON.stringify(value).slice(1, -1), percent, percent.replaceAll("%20", "+")];
}

function unescaped(value: string): string {
  try {
    if (value.includes("\\")) return String(JSON.parse(`"${value}"`));
    return decodeURIComponent(value.replaceAll("+", " "));
  } catch {
    return value;
  }
}
