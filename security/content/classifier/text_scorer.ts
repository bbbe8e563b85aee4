/** A text as a scorer of windows reads it: cleaned, cut up, and told by its worst window. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { cleanText, spanInOriginal } from "./clean_text.ts";
import { contentKey, type ScoreCache } from "./score_cache.ts";
import type { Scorer } from "./scorer.ts";
import { windowsOf } from "./windows.ts";

export interface PieceScore {
  score: number;
  /** Of the worst window in the piece, in UTF-16 units. */
  span: [start: number, end: number];
}

/** Windows between two looks at whether the score is still wanted. */
const WINDOWS_PER_TURN = 8;

/** Scores of windows that were read before: of a page that has changed, most are as they were. */
export type KnownWindows = ScoreCache<number>;

/** Resolves to undefined as soon as it is not wanted any more. Rejects as the scorer does, and for scores that are none. */
export async function scorePiece(
  scorer: Scorer,
  text: string,
  isWanted: () => boolean,
  known?: KnownWindows,
): Promise<PieceScore | undefined> {
  const windows = windowsOf(cleanText(text), scorer.windows);
  const scores: number[] = [];
  for (let start = 0; start < windows.length; start += WINDOWS_PER_TURN) {
    const batch = windows.slice(start, start + WINDOWS_PER_TURN);
    const texts = batch.map((window) => window.text);
    scores.push(...(known ? await scoresKnowing(known, scorer, texts) : await scorer.score(texts)));
    await nextTurn();
    if (!isWanted()) return undefined;
  }
  const score = Math.max(...scores);
  const worst = windows[scores.indexOf(score)];
  if (!(score >= 0 && score <= 1) || !worst) throw new Error("The models gave no score from 0 to 1");
  return { score, span: spanInOriginal(text, worst.span) };
}

async function scoresKnowing(known: KnownWindows, scorer: Scorer, texts: readonly string[]): Promise<number[]> {
  const keys = texts.map((text) => contentKey([text]));
  const unread = texts.filter((_, index) => known.get(keys[index] ?? "") === undefined);
  const read = await scorer.score(unread);
  return texts.map((_, index) => {
    const key = keys[index] ?? "";
    const score = known.get(key) ?? read.shift() ?? Number.NaN;
    known.set(key, score);
    return score;
  });
}
