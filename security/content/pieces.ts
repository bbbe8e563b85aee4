/** A long text in pieces, between which others have their turn. */
import { setImmediate as nextTurn } from "node:timers/promises";

/** Characters of each: patterns take some milliseconds for so many. */
const PIECE = 16_384;
/** What two of them share, so that nothing falls between them: more than what steers stands apart. */
const OVERLAP = 1_024;

/** What `read` gives for each piece of each text, one text after the other. Rejects with the reason of the signal. */
export async function readInPieces<Found>(
  texts: readonly string[],
  read: (piece: string) => readonly Found[],
  signal: AbortSignal,
): Promise<Found[][]> {
  const found: Found[][] = [];
  let characters = 0;
  for (const text of texts) {
    const ofText: Found[] = [];
    for (let start = 0; start === 0 || start < text.length - OVERLAP; start += PIECE - OVERLAP) {
      const piece = text.slice(start, start + PIECE);
      ofText.push(...read(piece));
      characters += piece.length;
      if (characters < PIECE) continue;
      characters = 0;
      await nextTurn();
      signal.throwIfAborted();
    }
    found.push(ofText);
  }
  return found;
}
