/** What the commands about saved states have in common. */
import * as v from "valibot";

export const StateName = v.pipe(
  v.string(),
  v.minLength(1, "must not be empty"),
  v.maxLength(64),
  v.description("The state's name"),
);

export const EntrySchema = v.strictObject({
  name: v.string(),
  savedAt: v.pipe(v.string(), v.description("ISO 8601; empty when the file does not say")),
  encrypted: v.boolean(),
  bytes: v.number(),
});

/** A session with many tabs and databases takes its time. */
export const STATE_TIMEOUT_MS = 120_000;
