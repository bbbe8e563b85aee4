/** From what a model computes to a score that means the same for every model. */
import { THRESHOLDS, type Thresholds } from "../verdict.ts";

/** The logistic function of a·value + b (Platt, 1999). */
export interface Platt {
  a: number;
  b: number;
}

/** From what its makers measured as this model's own thresholds to those of the verdict; the scores between move along. */
export type OwnThresholds = Pick<Thresholds, "log" | "warn" | "block">;

export function probability(value: number, { a, b }: Platt): number {
  return logistic(a * value + b);
}

export function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}

/** Grows with `score`, and is straight between the thresholds. */
export function toVerdictScale(score: number, own: OwnThresholds): number {
  const from = [0, own.log, own.warn, own.block, 1];
  const to = [0, THRESHOLDS.log, THRESHOLDS.warn, THRESHOLDS.block, 1];
  const above = from.findIndex((threshold, index) => index > 0 && score < threshold);
  if (above === -1) return 1;
  const [low = 0, high = 1] = [from[above - 1], from[above]];
  const [lowest = 0, highest = 1] = [to[above - 1], to[above]];
  return lowest + ((score - low) / (high - low)) * (highest - lowest);
}
