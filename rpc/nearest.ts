/** "Did you mean": the closest known name to a mistyped one. */

/** Farther than this is another word, not a slip; so are two of four letters. */
const MAX_DISTANCE = 2;
const SHORT_LENGTH = 4;

/** The known name that is at most 2 slips away, 1 for short names; undefined when none is that near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = (name.length > SHORT_LENGTH ? MAX_DISTANCE : 1) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = distanceOf(name, candidate);
    // A name of one or two letters is within 2 of any other.
    if (distance < bestDistance && distance < Math.max(candidate.length, name.length)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` (did you mean "click"?)`, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const candidate = nearest(name, known);
  return candidate === undefined ? "" : ` (did you mean "${candidate}"?)`;
}

/** Insertions, deletions, replacements, and swaps of neighbours (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
