/** The one verdict that comes of what the layers found. */
import type { Finding } from "./finding.ts";

export const VERDICTS = ["allow", "log", "warn", "block"] as const;
export type Verdict = (typeof VERDICTS)[number];

const LOG_FROM = 0.4;
const WARN_FROM = 0.75;
const BLOCK_FROM = 0.92;
/** Layers that read what the text says. The others see how it is built, which alone is no reason to keep it back. */
const READING: ReadonlySet<Finding["layer"]> = new Set<Finding["layer"]>(["classifier", "transcript"]);

/**
 * Blocks when the canary leaked, when two layers are at 0.75 and more, or when a layer that reads the content is at 0.92
 * and more; warns from 0.75 by one alone, logs from 0.40.
 */
export function verdictOf(findings: readonly Finding[]): Verdict {
  const sure = new Set(findings.flatMap(({ layer, score }) => (score >= WARN_FROM ? [layer] : [])));
  const isContentSure = findings.some(({ layer, score }) => READING.has(layer) && score >= BLOCK_FROM);
  if (findings.some(({ layer }) => layer === "canary") || sure.size > 1 || isContentSure) return "block";
  if (sure.size > 0) return "warn";
  return findings.some(({ score }) => score >= LOG_FROM) ? "log" : "allow";
}
