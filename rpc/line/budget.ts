/** Keeps answers within what their reader can take. */
import { BrowseError } from "../../errors.ts";

/** What a command line prints when it names no `--max-chars`: shells of agents cut at 30,000, without saying where. */
export const CLI_MAX_CHARS = 24_000;
/** Bytes of what programs read: the result of a call, and `--json`. */
export const RESULT_MAX_BYTES = 1_000_000;

export interface Window {
  /** In UTF-16 units, as JavaScript counts. */
  maxChars: number;
  /** How many to leave out before it. */
  offset?: number;
  /** A record of what happened, whose newest lines are at its end: those are kept. Only where no offset is given. */
  isLog?: boolean;
  /** How to get what is left out, where asking again would do something again. */
  rest?: string;
}

const ASK_AGAIN = "--max-chars <n> shows more at once, --out <file> writes all";

/** Where a text is cut, and the lines that say so. */
export interface Cut {
  start: number;
  end: number;
  before?: string;
  after?: string;
}

/**
 * The lines of `text` that fit into the window, and a line that says how much is left and how to get it, which comes on
 * top of `maxChars`. Where whole lines would leave most of the window empty, one is cut within, between characters.
 * Throws `invalid_params` for an offset beyond the end.
 */
export function cutFor(text: string, { maxChars, offset, isLog = false, rest }: Window): Cut {
  if (offset === undefined && text.length <= maxChars) return { start: 0, end: text.length };
  if (offset === undefined && isLog) return newestLines(text, maxChars);
  if ((offset ?? 0) > text.length) throw beyondTheEnd(offset ?? 0, text.length);
  const start = startOfCharacter(text, offset ?? 0);
  if (text.length - start <= maxChars) return { start, end: text.length };
  const end = endOfLines(text, start, start + maxChars);
  const after = `[${text.length - end} more characters: ${rest ?? `--offset ${end} goes on, ${ASK_AGAIN}`}]`;
  return { start, end, after };
}

/** Throws `too_large` for text over so many characters, half of which is of no use. */
export function assertShort(text: string, maxChars: number, hint: string): void {
  if (text.length > maxChars) throw tooLarge("characters", text.length, maxChars, hint);
}

/** Throws `too_large` for JSON over the budget: half of it is of no use. */
export function assertWithinBudget(json: string, maxBytes: number, hint: string): void {
  // A UTF-16 unit takes at most 3 bytes of UTF-8, so short text fits unmeasured.
  if (json.length * 3 <= maxBytes) return;
  const bytes = Buffer.byteLength(json);
  if (bytes > maxBytes) throw tooLarge("bytes", bytes, maxBytes, hint);
}

function tooLarge(unit: "bytes" | "characters", size: number, most: number, hint: string): BrowseError {
  return new BrowseError("too_large", `The call ran, but its answer has ${size} ${unit}, over the ${most} allowed`, {
    hint,
    details: unit === "bytes" ? { bytes: size, maxBytes: most } : { characters: size, maxChars: most },
  });
}

function newestLines(text: string, maxChars: number): Cut {
  const earliest = startOfCharacter(text, text.length - maxChars);
  const newline = text.indexOf("\n", earliest);
  const start = newline >= 0 && newline - earliest < maxChars / 2 ? newline + 1 : earliest;
  const before = `[${start} characters before this: --offset 0 begins with them, --out <file> writes all]`;
  return { start, end: text.length, before };
}

function beyondTheEnd(offset: number, length: number): BrowseError {
  return new BrowseError(
    "invalid_params",
    `--offset ${offset} is beyond the end: the output has ${length} characters`,
    {
      details: { flag: "--offset", characters: length },
    },
  );
}

function endOfLines(text: string, start: number, limit: number): number {
  const newline = text.lastIndexOf("\n", limit - 1);
  const isFull = newline - start >= (limit - start) / 2;
  return isFull ? newline + 1 : Math.max(startOfCharacter(text, limit), start + 1);
}

/** Not between the halves of a surrogate pair. */
function startOfCharacter(text: string, at: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;
}
