/** The parts of a cleaned text that are scored one by one. All models read the same ones, and were trained on such. */

/** Code points of each. */
const LENGTH = 320;
/** Code points from the beginning of one to that of the next. */
const STEP = 160;

export interface TextWindow {
  /** Where it begins and ends, in UTF-16 units. */
  span: [start: number, end: number];
  text: string;
}

/** One for a short text. The last one of a longer text ends where the text does, and is as long as the others. */
export function windowsOf(cleaned: string): TextWindow[] {
  const indexes = characterIndexes(cleaned);
  const length = indexes.length - 1;
  return startsOf(length).map((first): TextWindow => {
    const start = indexes[first] ?? 0;
    const end = indexes[Math.min(first + LENGTH, length)] ?? cleaned.length;
    return { span: [start, end], text: cleaned.slice(start, end) };
  });
}

function startsOf(length: number): number[] {
  const last = Math.max(0, length - LENGTH);
  return [...Array.from({ length: Math.ceil(last / STEP) }, (_, index) => index * STEP), last];
}

/** Where each code point begins, and where the last one ends. */
function characterIndexes(text: string): number[] {
  const indexes = [0];
  let index = 0;
  for (const character of text) {
    index += character.length;
    indexes.push(index);
  }
  return indexes;
}
