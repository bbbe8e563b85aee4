/** An answer on its way out to a command line: as text or JSON, whole into a file or within the budget. */
import type { CommandResult } from "../../commands/command.ts";
import { markedText, type Segment, sliced } from "../../security/content/page_mark.ts";
import { assertShort, assertWithinBudget, CLI_MAX_CHARS, cutFor, RESULT_MAX_BYTES, type Window } from "./budget.ts";
import type { GlobalFlags } from "./global_flags.ts";
import { escapedJson, printable, printableJson, wellFormed, wellFormedJson } from "./terminal.ts";

/** How a command line wants its answer. */
export interface Printing {
  format: "text" | "json";
  maxChars?: number;
  offset?: number;
  /** The file that takes all of it. */
  out?: string;
}

interface Printed {
  result: CommandResult;
  /** Its text. */
  segments: readonly Segment[];
  /** Half of the text is of no use. */
  isWhole?: boolean;
  /** Its newest lines are at the end. */
  isLog?: boolean;
  /** Something was done for it, which would be done again for whoever asks again. */
  isDone?: boolean;
  /** The file that holds all of it already. */
  keptIn?: string;
}

/** How to get what is over the budget and cannot be cut. */
const REMEDY = "Write it whole with --out <file>, or allow more with --max-chars";
/** The same where asking again would do something again. */
export const DONE_ONCE =
  "It is done, and would be done again: do not repeat it, but look with a command that only reads";

/** What the flags of a command line say of its answer. */
export function printingOf({ json, maxChars, offset, out }: GlobalFlags): Printing {
  return {
    format: json ? "json" : "text",
    ...(maxChars !== undefined && { maxChars }),
    ...(offset !== undefined && { offset }),
    ...(out !== undefined && { out }),
  };
}

/** The same for a step of another call, whose answer is part of that one's: undefined where its own flags say nothing. */
export function printingOfStep(flags: GlobalFlags): Printing | undefined {
  const { json, maxChars, offset, out } = flags;
  return [json, maxChars, offset, out].some((flag) => flag !== undefined) ? printingOf(flags) : undefined;
}

/** Will a terminal get less than all of it? */
export function isCut({ segments, isWhole }: Printed, printing: Printing): boolean {
  const { format, maxChars = CLI_MAX_CHARS, offset = 0 } = printing;
  return format === "text" && !isWhole && plain(printables(segments)).length - offset > maxChars;
}

/** What a terminal or pipe gets. Throws `too_large` for JSON, and for text that must be whole, over the budget. */
export function print(printed: Printed, { format, maxChars, offset }: Printing): string {
  const { result, isWhole, isLog, isDone } = printed;
  const remedy = isDone ? DONE_ONCE : REMEDY;
  if (format === "json") return printedJson(result, maxChars, remedy);
  const segments = printables(printed.segments);
  if (!isWhole) {
    const window = { maxChars: maxChars ?? CLI_MAX_CHARS, ...(isLog && { isLog }), ...restOf(printed) };
    return windowOf(segments, { ...window, ...(offset !== undefined && { offset }) });
  }
  assertAllowed(plain(segments), maxChars, remedy);
  return markedText(segments);
}

/** What fits into the window. What is left out is told outside of the marks. */
export function windowOf(segments: readonly Segment[], window: Window): string {
  const { start, end, before, after } = cutFor(plain(segments), window);
  const kept = markedText(sliced(segments, start, end));
  const begun = before === undefined ? kept : `${before}\n${kept}`;
  return after === undefined ? begun : `${begun}${begun === "" || begun.endsWith("\n") ? "" : "\n"}${after}`;
}

function printables(segments: readonly Segment[]): Segment[] {
  return segments.map(({ text, ...rest }) => ({ ...rest, text: printable(text) }));
}

function plain(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join("");
}

function restOf({ isDone, keptIn }: Printed): { rest?: string } {
  if (keptIn !== undefined) return { rest: `${printable(keptIn)} has all of it` };
  return isDone ? { rest: "asking again would do it again" } : {};
}

/** For programs, which take more than their users read. */
function printedJson(result: CommandResult, maxChars: number | undefined, remedy: string): string {
  const json = wellFormedJson(result);
  // What a terminal needs escaped only adds to it, and takes its time.
  assertAllowed(json, maxChars, remedy);
  const printed = escapedJson(json);
  assertAllowed(printed, maxChars, remedy);
  return printed;
}

function assertAllowed(text: string, maxChars: number | undefined, remedy: string): void {
  if (maxChars !== undefined) assertShort(text, maxChars, remedy);
  else assertWithinBudget(text, RESULT_MAX_BYTES, remedy);
}

/** What a file gets: all of it, as it is, without marks. */
export function fileContent({ result, segments }: Printed, { format }: Printing): string {
  const content =
    format === "json" ? printableJson(result) : wellFormed(plain(segments.filter(({ isAside }) => !isAside)));
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}
