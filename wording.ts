/** Words that people type and read: split, compared, counted. Imports nothing, since the command line client takes it along. */

/** `1 tab`, `2 tabs`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time as it is typed: 500, 500ms, 5s, 2m, 1h, 7d. Whole milliseconds; not a number for what is no time. */
export function durationMs(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text);
  return match ? Math.round(Number(match[1]) * UNIT_MS[(match[2] ?? "ms") as keyof typeof UNIT_MS]) : Number.NaN;
}

/** In the largest unit that it is a whole number of. */
export function durationText(ms: number): string {
  const units = Object.entries(UNIT_MS).toReversed();
  const [unit, size] = units.find(([, size]) => ms >= size && ms % size === 0) ?? ["ms", 1];
  return `${ms / size} ${unit}`;
}

/** Farther than this is another word, not a slip; so are two of four letters. */
const MAX_SLIPS = 2;
const SHORT_LENGTH = 4;

/** The known name that is at most 2 slips away, 1 for short names; undefined when none is that near. */
export function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let fewest = (name.length > SHORT_LENGTH ? MAX_SLIPS : 1) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= fewest) continue;
    const slips = slipsBetween(name, candidate);
    // A name of one or two letters is within 2 of any other.
    if (slips < fewest && slips < Math.max(candidate.length, name.length)) {
      best = candidate;
      fewest = slips;
    }
  }
  return best;
}

/** ` (did you mean "click"?)`, or nothing. */
export function suggestion(name: string, known: Iterable<string>): string {
  const candidate = nearest(name, known);
  return candidate === undefined ? "" : ` (did you mean "${candidate}"?)`;
}

/** Insertions, deletions, replacements, and swaps of neighbors (optimal string alignment). */
export function slipsBetween(a: string, b: string): number {
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

/** A quoted part, a backslash and what it escapes, a bar, a line's end, other white space, or a run of anything else. */
const PIECE = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|(\|)|(\r?\n)|([^\S\n]+)|([^\s'"\\|]+)/gsy;

/** A line so far, and one more character: a `#` with nothing before it, or nothing right after it. `#id` is a selector. */
const COMMENT = /^\s*#.?$|#\s?$/s;

export interface Split {
  /** The words of each line, or between two bars; empty where there are none. */
  lines: string[][];
  /** The text from a quote or a backslash on that is left open; what follows is not split. */
  unclosed?: string;
}

/**
 * Command lines as a POSIX shell splits them, without expanding anything: single quotes keep all, in double quotes a
 * backslash escapes `"`, `\`, `$` and the backquote. Lines end at bare bars or where lines do; either parts words.
 */
export function splitWords(text: string, ends: "bars" | "lines" = "lines"): Split {
  const lines: string[][] = [[]];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) lines.at(-1)?.push(word);
    word = undefined;
  };
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const at = PIECE.lastIndex;
    if (text[at] === "#" && word === undefined && COMMENT.test(text.slice(lineStart(text, at), at + 2))) {
      const end = text.indexOf("\n", at);
      PIECE.lastIndex = end < 0 ? text.length : end;
      continue;
    }
    const piece = PIECE.exec(text);
    if (!piece) return { lines, unclosed: text.slice(at) };
    const [, single, double, escaped, bar, newline, space, plain] = piece;
    const isEnd = ends === "bars" ? bar !== undefined : newline !== undefined;
    if (isEnd || newline !== undefined || space !== undefined) endWord();
    else word = (word ?? "") + (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? bar ?? plain ?? "");
    if (isEnd) lines.push([]);
  }
  endWord();
  return { lines };
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at) + 1;
}
