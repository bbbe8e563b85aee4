/** HeaderFields that a session's user has set: sent with every request, and shown nowhere. */
import { REDACTED } from "../../security/secrets/secret_shapes.ts";

export type HeaderFields = Readonly<Record<string, string>>;

/** Shorter values are too common to be looked for in text. */
const MIN_TELLING_LENGTH = 6;

/** `headers` without what `own` has set, and without its values wherever else they stand. */
export function withoutOwn(headers: HeaderFields, own: HeaderFields): Record<string, string> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  const entries = Object.entries(headers).map(([name, value]) => {
    return [name, names.has(name.toLowerCase()) ? REDACTED : withoutOwnValues(value, own)];
  });
  return Object.fromEntries(entries);
}

/** Text that may repeat them, as servers do that answer with what they were asked. */
export function withoutOwnValues(text: string, own: HeaderFields): string {
  const telling = Object.values(own).filter((value) => value.length >= MIN_TELLING_LENGTH);
  return telling.reduce((rest, value) => rest.replaceAll(value, REDACTED), text);
}
