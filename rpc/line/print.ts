/** An answer on its way out to a command line: as text or JSON, whole into a file or within the budget. */
import type { CommandResult } from "../../commands/command.ts";
import { assertShort, assertWithinBudget, CLI_MAX_CHARS, cutToBudget, RESULT_MAX_BYTES } from "./budget.ts";
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
  text: string;
  /** Half of the text is of no use. */
  isWhole?: boolean;
  /** Its newest lines are at the end. */
  isLog?: boolean;
}

/** How to get what is over the budget and cannot be cut. */
const REMEDY = "Write it whole with --out <file>, or allow more with --max-chars";

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

/** What a terminal or pipe gets. Throws `too_large` for JSON, and for text that must be whole, over the budget. */
export function print({ result, text, isWhole, isLog }: Printed, { format, maxChars, offset }: Printing): string {
  if (format === "json") return printedJson(result, maxChars);
  if (!isWhole) {
    const window = { maxChars: maxChars ?? CLI_MAX_CHARS, ...(isLog && { isLog }) };
    return cutToBudget(printable(text), { ...window, ...(offset !== undefined && { offset }) });
  }
  assertAllowed(text, maxChars);
  return printable(text);
}

/** For programs, which take more than their users read. */
function printedJson(result: CommandResult, maxChars: number | undefined): string {
  const json = wellFormedJson(result);
  // What a terminal needs escaped only adds to it, and takes its time.
  assertAllowed(json, maxChars);
  const printed = escapedJson(json);
  assertAllowed(printed, maxChars);
  return printed;
}

function assertAllowed(text: string, maxChars: number | undefined): void {
  if (maxChars !== undefined) assertShort(text, maxChars, REMEDY);
  else assertWithinBudget(text, RESULT_MAX_BYTES, REMEDY);
}

/** What a file gets: all of it, as it is. */
export function fileContent({ result, text }: Printed, { format }: Printing): string {
  const content = format === "json" ? printableJson(result) : wellFormed(text);
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}
