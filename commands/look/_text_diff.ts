/** Two texts compared line by line. */
import { BrowseError } from "../../errors.ts";

export interface TextDiff {
  /** Lines that only the second has. */
  added: number;
  /** Lines that only the first has. */
  removed: number;
  /** Hunks as `diff -u` writes them; empty when there is no difference. */
  diff: string;
}

/** Texts without anything in common take the square of their length. */
const MAX_MS = 5_000;
/** Lines shown around a difference. */
const CONTEXT = 3;

/** Lets others work meanwhile. Throws `too_large` for texts that cannot be compared in time. */
export async function diffTexts(first: string, second: string): Promise<TextDiff> {
  const { formatPatch, OMIT_HEADERS, structuredPatch } = await import("diff");
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof structuredPatch> | undefined>();
  structuredPatch("", "", withLastBreak(first), withLastBreak(second), undefined, undefined, {
    context: CONTEXT,
    timeout: MAX_MS,
    callback: resolve,
  });
  const patch = await promise;
  if (!patch) {
    throw new BrowseError("too_large", "The texts are too long and too different to be compared line by line", {
      hint: "Compare images of them with --screenshot",
    });
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length;
  const diff = patch.hunks.length === 0 ? "" : formatPatch(patch, OMIT_HEADERS).trimEnd();
  return { added: count("+"), removed: count("-"), diff };
}

/** Whether the last line has an end is nothing that a reader of a page sees. */
function withLastBreak(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
