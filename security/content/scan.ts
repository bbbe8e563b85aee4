/** What the layers of the content guard say of a text, and the one verdict that comes of it. */
import type { Classifier } from "./classifier/classifier.ts";
import type { Finding } from "./finding.ts";
import { readInPieces } from "./pieces.ts";
import { findSteering } from "./structure.ts";
import { findHidden, HIDDEN_WORDS, type HiddenText } from "./text_structure.ts";
import type { TranscriptCheck } from "./transcript_check.ts";
import { THRESHOLDS, type Verdict, verdictOf } from "./verdict.ts";

/** How a text is built, or what in it is built to steer. */
interface BuiltText extends Omit<HiddenText, "kind"> {
  kind: HiddenText["kind"] | "steering";
}

export interface LayerReport {
  layer: "structure" | "classifier" | "transcript";
  /** `missing`: the layer gave no score, so that 0 says nothing. */
  status: "ran" | "missing";
  /** 0 to 1. */
  score: number;
  findings: BuiltText[];
  /** Why it is missing, or why the transcript check gave that score. */
  reason?: string;
  /** Of the classifier: where the worst part of the text begins and ends, in UTF-16 units. */
  span?: [start: number, end: number];
  /** Of the classifier: the share of the text that it has seen, 0 to 1. */
  covered?: number;
}

export interface ScanReport {
  verdict: Verdict;
  /** The highest of the layers'. */
  score: number;
  layers: LayerReport[];
  warnings: string[];
}

export interface ScanOptions {
  /** Where the text came from; named in warnings. */
  source?: string | undefined;
  /** What is asked beside the structure. */
  classifier: Pick<Classifier, "score">;
  transcriptCheck: Pick<TranscriptCheck, "score">;
  signal: AbortSignal;
}

/** Of the worst part of a text, in its warning. */
const MAX_QUOTE = 120;

/** Rejects only with the reason of `signal`. */
export async function scanText(text: string, options: ScanOptions): Promise<ScanReport> {
  const { signal, source } = options;
  const layers = [await structureOf(text, signal)];
  layers.push(await classified(text, options));
  const checked = await options.transcriptCheck.score(text, { signal });
  signal.throwIfAborted();
  if (checked) layers.push({ layer: "transcript", findings: [], ...scoreOrMissing(checked) });
  const from = source === undefined ? "" : `${source}: `;
  return {
    verdict: verdictOf(layers.map(findingOf)),
    score: Math.max(...layers.map((layer) => layer.score)),
    layers,
    warnings: layers.flatMap((layer) => warningsOf(layer, text)).map((warning) => `${from}${warning}`),
  };
}

async function structureOf(text: string, signal: AbortSignal): Promise<LayerReport> {
  const [found = []] = await readInPieces([text], findSteering, signal);
  const [steering] = found.sort((a, b) => b.score - a.score);
  const orders = steering && { kind: "steering" as const, count: 1, score: steering.score, says: steering.says };
  const findings = [...findHidden(text), ...(orders ? [orders] : [])];
  return { layer: "structure", status: "ran", score: Math.max(0, ...findings.map(({ score }) => score)), findings };
}

async function classified(text: string, { classifier, signal }: ScanOptions): Promise<LayerReport> {
  const found = await classifier.score(text, { signal });
  return { layer: "classifier", findings: [], ...scoreOrMissing(found) };
}

type Answer = { score: number } | { missing: string };

/** Four digits of a score say all that it means. */
function scoreOrMissing<A extends Answer>(answer: A) {
  if ("missing" in answer) return { status: "missing" as const, score: 0, reason: answer.missing };
  return { ...answer, status: "ran" as const, score: Math.round(answer.score * 10_000) / 10_000 };
}

function findingOf({ layer, score, findings, reason }: LayerReport): Finding {
  return { layer, score, says: findings[0]?.kind ?? reason ?? "its words" };
}

function warningsOf(layer: LayerReport, text: string): string[] {
  if (layer.status === "missing") return [`the ${layer.layer} layer gave no score: ${layer.reason}`];
  const hidden = layer.findings.map(({ kind, count, says }) =>
    kind === "steering" ? `${says}` : `${count} × ${HIDDEN_WORDS[kind]}${says ? `: ${JSON.stringify(says)}` : ""}`,
  );
  return layer.layer === "structure" || layer.score < THRESHOLDS.log ? hidden : [wordsWarning(layer, text)];
}

function wordsWarning({ layer, score, span, reason }: LayerReport, text: string): string {
  const quoted = span ? text.slice(...span).replace(/[\p{Cc}\p{Cf}\p{Cs}]+/gu, " ") : reason;
  const shown = quoted ? `: ${JSON.stringify(quoted.trim().slice(0, MAX_QUOTE).toWellFormed())}` : "";
  return `words that give orders to whoever reads them (${layer}, ${score})${shown}`;
}
