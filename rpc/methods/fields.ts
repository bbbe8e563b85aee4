/** Members that several methods take. */
import { isAbsolute } from "node:path";
import * as v from "valibot";
import type { EventFilter } from "../protocol.ts";
import type { Gives } from "./method.ts";

export const Name = v.pipe(v.string(), v.minLength(1, "must not be empty"), v.maxLength(128, "is too long"));
export const Folder = v.pipe(v.string(), v.check(isAbsolute, "must be an absolute path"));
const Text = v.pipe(v.string(), v.maxLength(2_000, "is too long"));
const Seq = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** For all topics, or for each. */
export const Since = v.union([Seq, v.record(v.string(), Seq)]);
export const Topics = v.pipe(v.array(v.string()), v.maxLength(64, "has too many items"));

/** A whole number from 1 to `most`. */
export function countUpTo(most: number) {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(most));
}

export const Filter = v.strictObject({
  tab: v.exactOptional(Name),
  session: v.exactOptional(Name),
  level: v.exactOptional(Name),
  url: v.exactOptional(Text),
  type: v.exactOptional(Name),
  command: v.exactOptional(Name),
  status: v.exactOptional(v.pipe(v.number(), v.safeInteger())),
}) satisfies Gives<EventFilter>;
