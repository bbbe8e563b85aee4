/** Cases made from a seed and their number, so that each can be played again alone. */
import { createHash } from "node:crypto";
import fc from "fast-check";

/** The same value for the same seed and number; no value is more likely for being small. */
export function drawn<Value>(values: fc.Arbitrary<Value>, seed: number, number: number): Value {
  const [value] = fc.sample(fc.noBias(values), { seed: seedOf(seed, number), numRuns: 1 });
  return value as Value;
}

/** Neighboring numbers give unlike cases. */
function seedOf(seed: number, number: number): number {
  return createHash("sha256").update(`${seed}:${number}`).digest().readInt32BE(0);
}

/** One of them, by weight. */
export function weighted<Value>(...entries: readonly (readonly [weight: number, value: Value])[]): fc.Arbitrary<Value> {
  return fc.oneof(...entries.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
}
