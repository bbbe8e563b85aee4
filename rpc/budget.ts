/** Keeps text within a number of bytes, cut where a line ends. */
import { BrowseError } from "./errors.ts";

/** What a command line gets when it names no `--max-bytes`; a hundred pages of a book. */
export const CLI_MAX_BYTES = 200_000;
/** The same for what programs read: the result of a call, and `--json`. */
export const RESULT_MAX_BYTES = 1_000_000;

export interface Window {
  maxBytes: number;
  /** Bytes of UTF-8 to leave out before it. */
  offset?: number;
}

/**
 * The lines of `text` that fit into the window, then a line that says how much follows and how to get it. The marker
 * comes on top of `maxBytes`. One line longer than the budget is cut within, between characters. Throws
 * `invalid_params` for an offset beyond the end.
 */
export function cutToBudget(text: string, { maxBytes, offset = 0 }: Window): string {
  // A UTF-16 unit takes at most 3 bytes of UTF-8, so short text fits unmeasured.
  if (offset === 0 && text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text, "utf8");
  if (offset > bytes.length) throw beyondTheEnd(offset, bytes.length);
  const start = startOfCharacter(bytes, offset);
  if (bytes.length - start <= maxBytes) return bytes.toString("utf8", start);
  const end = endOfLastLine(bytes, start, start + maxBytes);
  const kept = bytes.toString("utf8", start, end);
  const separator = kept === "" || kept.endsWith("\n") ? "" : "\n";
  return `${kept}${separator}[${bytes.length - end} more bytes: --offset ${end} goes on, --out <file> writes all]`;
}

/** Throws `too_large` for JSON over the budget: half of it is of no use. */
export function assertWithinBudget(json: string, maxBytes: number, hint: string): void {
  if (json.length * 3 <= maxBytes) return;
  const bytes = Buffer.byteLength(json);
  if (bytes <= maxBytes) return;
  throw new BrowseError("too_large", `The call ran, but its answer has ${bytes} bytes, over the ${maxBytes} allowed`, {
    hint,
    details: { bytes, maxBytes },
  });
}

function beyondTheEnd(offset: number, length: number): BrowseError {
  return new BrowseError("invalid_params", `--offset ${offset} is beyond the end: the output has ${length} bytes`, {
    details: { flag: "--offset", bytes: length },
  });
}

function endOfLastLine(bytes: Buffer, start: number, limit: number): number {
  const newline = bytes.lastIndexOf(0x0a, limit - 1);
  return newline >= start ? newline + 1 : Math.max(startOfCharacter(bytes, limit), start);
}

function startOfCharacter(bytes: Buffer, at: number): number {
  let start = at;
  // 10xxxxxx continues a character: step back to where it begins.
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
