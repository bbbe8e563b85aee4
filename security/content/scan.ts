/** What the layers of the content guard say of a text, and the one verdict that comes of it. */
import { findHidden, type HiddenText } from "./text_structure.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

export interface LayerReport {
  layer: "structure" | "classifier";
  /** `missing`: the layer is not there, so its score says nothing. */
  status: "ran" | "missing";
  /** 0 to 1. */
  score: number;
  findings: HiddenText[];
}

export interface ScanReport {
  verdict: Verdict;
  /** The highest of the layers'. */
  score: number;
  layers: LayerReport[];
  warnings: string[];
}

const WORDS: Readonly<Record<HiddenText["kind"], string>> = {
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
    verdict: verdictOf(findings.map((finding) => ({ layer: "structure", score: finding.score, says: finding.kind }))),
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
