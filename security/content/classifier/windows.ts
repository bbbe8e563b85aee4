/** The parts of a cleaned text that are scored one by one. All models read the same ones, and were trained on such. */

/** In code points. */
export interface WindowShape {
  length: number;
  /** From the beginning of one to that of the next. */
  step: number;
}

/** For models that do not say what they were trained on. */
const WINDOWS: Readonly<WindowShape> = { length: 320, step: 160 };

export interface TextWindow {
  /** Where it begins and ends, in UTF-16 units. */
  span: [start: number, end: number];
  text: string;
}

/** One for a short text. The last one of a longer text ends where the text does, and is as long as the others. */
export function windowsOf(cleaned: string, shape: Readonly<WindowShape> = WINDOWS): TextWindow[] {
  const indexes = characterIndexes(cleaned);
  const all = indexes.length - 1;
  return startsOf(all, shape).map((first): TextWindow => {
    const start = indexes[first] ?? 0;
    const end = indexes[Math.min(first + shape.length, all)] ?? cleaned.length;
    return { span: [start, end], text: cleaned.slice(start, end) };
  });
}

function startsOf(all: number, { length, step }: WindowShape): number[] {
  const last = Math.max(0, all - length);
  return [...Array.from({ length: Math.ceil(last / step) }, (_, index) => index * step), last];
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
