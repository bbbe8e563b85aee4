/** The layers that read what a page says. */
import type { Classifier } from "../../../security/content/classifier/classifier.ts";
import type { Finding } from "../../../security/content/finding.ts";
import { findStructure } from "../../../security/content/structure.ts";
import type { TranscriptCheck } from "../../../security/content/transcript_check.ts";
import type { ReadingLayer } from "./content_guard.ts";

export interface ContentLayers {
  classifier: Pick<Classifier, "score">;
  transcriptCheck: Pick<TranscriptCheck, "score">;
}

/** Findings below that change no verdict. */
const TOLD_FROM = 0.4;

/** How a text is built, what its words are like, and what the user's own check says of it. */
export function readingLayers({ classifier, transcriptCheck }: ContentLayers): ReadingLayer[] {
  return [structureLayer, scoring("classifier", classifier), scoring("transcript", transcriptCheck)];
}

/** How a text is built. */
export const structureLayer: ReadingLayer = async (texts, { areNames }) =>
  texts.map((text) => findStructure(text, { isName: areNames }));

type Scorer = ContentLayers["classifier"] | ContentLayers["transcriptCheck"];

/** Texts that are scored at a time: others have answers to wait for, too. */
const AT_A_TIME = 16;

/** A layer that gives no score says so in `status`, and finds nothing. */
function scoring(layer: "classifier" | "transcript", scorer: Scorer): ReadingLayer {
  const read = async (text: string, signal: AbortSignal): Promise<Finding[]> => {
    const told = await scorer.score(text, { signal });
    if (!told || "missing" in told || told.score < TOLD_FROM) return [];
    return [
      { layer, score: told.score, says: `words that give orders to whoever reads them (${told.score.toFixed(2)})` },
    ];
  };
  return async (texts, { signal }) => {
    const found: Finding[][] = [];
    for (let start = 0; start < texts.length; start += AT_A_TIME) {
      const some = texts.slice(start, start + AT_A_TIME);
      found.push(...(await Promise.all(some.map(async (text) => await read(text, signal)))));
    }
    return found;
  };
}
