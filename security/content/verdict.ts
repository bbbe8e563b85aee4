/** The one verdict on a text, whatever layers have looked at it (security.md, L6). */
import type { Finding, Layer } from "./finding.ts";

/** `block` withholds the text, `warn` puts a line above it, `log` only records it. */
export const VERDICTS = ["allow", "log", "warn", "block"] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Thresholds {
  /** Of the classifier, where another layer is at `second` and more. */
  block: number;
  /** More than that one word is said to an AI, which many an honest page does. */
  second: number;
  /** Of each of two layers. */
  agree: number;
  warn: number;
  log: number;
}

/** The classifier is calibrated so that these hold for whatever model is shipped: see docs/design/classifier.md. */
export const THRESHOLDS: Readonly<Thresholds> = { block: 0.92, second: 0.45, agree: 0.75, warn: 0.75, log: 0.4 };

/**
 * Blocks what leaks the canary, what two layers are sure of, and what the classifier is very sure of while another layer has
 * seen something. Every layer alone warns at most: structure, hidden text, a check by a language model and the classifier each
 * have honest reasons to be wrong, and a page that is withheld is no use to anybody.
 */
export function verdictOf(findings: readonly Finding[], thresholds: Readonly<Thresholds> = THRESHOLDS): Verdict {
  const worst = worstOfEach(findings);
  const scores = [...worst.values()];
  const from = (least: number) => scores.filter((score) => score >= least).length;
  if ((worst.get("canary") ?? 0) > 0 || from(thresholds.agree) > 1) return "block";
  if ((worst.get("classifier") ?? 0) >= thresholds.block && from(thresholds.second) > 1) return "block";
  if (from(thresholds.warn) > 0) return "warn";
  return from(thresholds.log) > 0 ? "log" : "allow";
}

function worstOfEach(findings: readonly Finding[]): Map<Layer, number> {
  const worst = new Map<Layer, number>();
  for (const { layer, score } of findings) worst.set(layer, Math.max(score, worst.get(layer) ?? 0));
  return worst;
}
