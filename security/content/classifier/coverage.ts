/** How much of a text is looked at: all of it, or pieces of a very long one. */

export interface CoverageLimits {
  /** Longer texts are looked at in pieces. UTF-16 units, as all here. */
  whole: number;
  /** Of each piece. */
  piece: number;
}

export interface Piece {
  /** Where it begins in the text. */
  start: number;
  text: string;
}

export interface Coverage {
  pieces: Piece[];
  /** The share of the text that is in them, 0 to 1. */
  covered: number;
}

/**
 * The pieces are evenly spread, with the beginning and the end among them, and come to no more than `whole`. None begins
 * or ends within a character.
 */
export function coverageOf(text: string, { whole, piece }: CoverageLimits): Coverage {
  if (text.length <= whole) return { pieces: [{ start: 0, text }], covered: 1 };
  const count = Math.max(2, Math.floor(whole / piece));
  const step = (text.length - piece) / (count - 1);
  const pieces = Array.from({ length: count }, (_, index): Piece => {
    const from = Math.round(index * step);
    const [start, end] = [characterStart(text, from), characterStart(text, from + piece)];
    return { start, text: text.slice(start, end) };
  });
  return { pieces, covered: pieces.reduce((sum, { text: part }) => sum + part.length, 0) / text.length };
}

/** `index`, or where the character begins that it is in the middle of. */
function characterStart(text: string, index: number): number {
  const isMiddle = index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
  return isMiddle ? index - 1 : index;
}
