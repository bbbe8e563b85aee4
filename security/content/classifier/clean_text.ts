/** A text as models were trained to read it. FEATURES.md beside the shipped model says the same in words. */

const INVISIBLE =
  /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;
const SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;

/** NFKC without invisible characters, each run of white space one space, ends trimmed. */
export function cleanText(text: string): string {
  const spaced = text.toWellFormed().normalize("NFKC").replace(INVISIBLE, "").replace(SPACE, " ");
  return spaced.slice(spaced.startsWith(" ") ? 1 : 0, spaced.endsWith(" ") && spaced.length > 1 ? -1 : undefined);
}

/**
 * Where in `text` the part of the cleaned text is that begins and ends at those UTF-16 indexes. Characters that were taken
 * out at its ends may be in it or not.
 */
export function spanInOriginal(text: string, [start, end]: readonly [number, number]): [number, number] {
  return [indexInOriginal(text, start), indexInOriginal(text, end)];
}

/** The length of the longest beginning of `text` of which, cleaned, no more than `index` is left. */
function indexInOriginal(text: string, index: number): number {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (cleanText(text.slice(0, middle)).length <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}
