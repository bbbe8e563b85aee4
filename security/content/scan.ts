/** What the layers of the content guard say of a text, and the one verdict that comes of it. */
import { type Finding, findHidden } from "./text_structure.ts";

export type Verdict = "allow" | "log" | "warn" | "block";

export interface LayerReport {
  layer: "structure" | "classifier";
  /** `missing`: the layer is not there, so its score says nothing. */
  status: "ran" | "missing";
  /** 0 to 1. */
  score: number;
  findings: Finding[];
}

export interface ScanReport {
  verdict: Verdict;
  /** The highest of the layers'. */
  score: number;
  layers: LayerReport[];
  warnings: string[];
}

/** security.md, L6: `log` and `warn` by one layer alone. One layer of structure never blocks. */
const LOG_FROM = 0.4;
const WARN_FROM = 0.75;

const WORDS: Readonly<Record<Finding["kind"], string>> = {
  "tag-characters": "tag characters, which nobody sees",
  "variation-selectors": "runs of variation selectors, which carry hidden bytes",
  "zero-width-run": "runs of zero-width characters",
  "zero-width": "zero-width characters inside words",
  "bidi-override": "characters that turn the reading direction round",
  "bidi-control": "characters that control the reading direction",
  invisible: "invisible characters",
  control: "control characters",
  "lone-surrogate": "halves of characters",
  "envelope-mark": "forged marks around page content",
  "hidden-markup": "elements that hide their text",
  "hidden-mark": "lines that a snapshot marks as hidden",
};

export function scanText(text: string, { source }: { source?: string } = {}): ScanReport {
  const findings = findHidden(text);
  const score = Math.max(0, ...findings.map((finding) => finding.score));
  const from = source === undefined ? "" : `${source}: `;
  return {
    verdict: score >= WARN_FROM ? "warn" : score >= LOG_FROM ? "log" : "allow",
    score,
    layers: [
      { layer: "structure", status: "ran", score, findings },
      { layer: "classifier", status: "missing", score: 0, findings: [] },
    ],
    warnings: findings.map(
      ({ kind, count, says }) => `${from}${count} × ${WORDS[kind]}${says ? `: ${JSON.stringify(says)}` : ""}`,
    ),
  };
}
