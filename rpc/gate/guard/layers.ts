/** The layers that read what a page says. */
import { CLASSIFIER_OFF, type Classifier } from "../../../security/content/classifier/classifier.ts";
import type { Finding } from "../../../security/content/finding.ts";
import { readInPieces } from "../../../security/content/pieces.ts";
import { findStructure } from "../../../security/content/structure.ts";
import type { TranscriptCheck } from "../../../security/content/transcript_check.ts";
import { THRESHOLDS } from "../../../security/content/verdict.ts";
import type { ReadingLayer } from "./content_guard.ts";

export interface ContentLayers {
  classifier: Pick<Classifier, "score">;
  transcriptCheck: Pick<TranscriptCheck, "score">;
}

/** How a text is built, what its words are like, and what the user's own check says of it. */
export function readingLayers({ classifier, transcriptCheck }: ContentLayers): ReadingLayer[] {
  return [structureLayer, scoring("classifier", classifier), scoring("transcript", transcriptCheck)];
}

/** How a text is built. */
export const structureLayer: ReadingLayer = async (texts, { areNames, signal }) =>
  await readInPieces(texts, (piece) => findStructure(piece, { isName: areNames }), signal);

type Scorer = ContentLayers["classifier"] | ContentLayers["transcriptCheck"];

/** Texts that are scored at a time: others have answers to wait for, too. */
const AT_A_TIME = 16;

/** For all texts of an answer: a classifier that takes longer is as good as none. Milliseconds. */
const MAX_WAIT = 3_000;

/** What gives no score is told beside the answer, and in `status`. */
function scoring(layer: "classifier" | "transcript", scorer: Scorer): ReadingLayer {
  const read = async (text: string, { signal, late }: Wait): Promise<Finding[]> => {
    const told = await scoreInTime(scorer, text, { signal, late });
    if (told === undefined || ("missing" in told && told.missing === CLASSIFIER_OFF)) return [];
    if ("missing" in told)
      return [{ layer, score: THRESHOLDS.log, says: `the ${layer} did not look at it (${told.missing})` }];
    if (told.score < THRESHOLDS.log) return [];
    return [
      { layer, score: told.score, says: `words that give orders to whoever reads them (${told.score.toFixed(2)})` },
    ];
  };
  return async (texts, { signal, isForScript }) => {
    if (isForScript) return texts.map(() => []);
    const wait = { signal, late: AbortSignal.timeout(MAX_WAIT) };
    const found: Finding[][] = [];
    for (let start = 0; start < texts.length; start += AT_A_TIME) {
      const some = texts.slice(start, start + AT_A_TIME);
      found.push(...(await Promise.all(some.map(async (text) => await read(text, wait)))));
    }
    return found;
  };
}

interface Wait {
  signal: AbortSignal;
  /** Aborts when there is to be an answer without it. */
  late: AbortSignal;
}

async function scoreInTime(scorer: Scorer, text: string, { signal, late }: Wait) {
  const missing = { missing: `no score within ${MAX_WAIT} ms` };
  if (late.aborted) return missing;
  try {
    return await scorer.score(text, { signal: AbortSignal.any([signal, late]) });
  } catch (error) {
    if (!late.aborted || signal.aborted) throw error;
    return missing;
  }
}
