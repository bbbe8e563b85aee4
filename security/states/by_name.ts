/** Objects whose members have names that somebody else has chosen. */
import * as v from "valibot";

/** Valibot's `record` leaves out members called `constructor`, `prototype` and `__proto__` without a word. */
export function byName<Value extends v.GenericSchema>(value: Value) {
  return v.pipe(
    v.custom<Record<string, unknown>>((input) => typeof input === "object" && input !== null && !Array.isArray(input)),
    v.transform((members) => Object.entries(members)),
    v.array(v.tuple([v.string(), value])),
    v.transform((members): Record<string, v.InferOutput<Value>> => Object.fromEntries(members)),
  );
}
