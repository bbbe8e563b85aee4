/** Several models as one: what one of them alone takes for an attack is not yet one. */
import { logistic } from "./calibrate.ts";
import type { Scorer } from "./scorer.ts";

/** Nobody's certainty outvotes the others: as log-odds this is about ±5.3. */
const SUREST = 0.995;

/** The mean of their log-odds, for each window, as the first that says so wants them. Of one, its own scores. */
export function ensembleOf(scorers: readonly Scorer[]): Scorer {
  const [only] = scorers;
  if (only && scorers.length === 1) return only;
  const shape = scorers.find(({ windows }) => windows)?.windows;
  return {
    ...(shape && { windows: shape }),
    async score(windows) {
      const all: number[][] = [];
      for (const scorer of scorers) all.push(await scorer.score(windows));
      return windows.map((_, window) => meanOf(all.map((scores) => scores[window] ?? 0)));
    },
    async close() {
      for (const scorer of scorers) await scorer.close();
    },
  };
}

function meanOf(scores: readonly number[]): number {
  const odds = scores.map((score) => {
    const sure = Math.min(SUREST, Math.max(1 - SUREST, score));
    return Math.log(sure / (1 - sure));
  });
  return logistic(odds.reduce((sum, each) => sum + each, 0) / odds.length);
}
