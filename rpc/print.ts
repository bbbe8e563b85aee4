/** An answer on its way out to a command line: as text or JSON, whole into a file or within the budget. */
import type { CommandResult } from "../commands/command.ts";
import { assertWithinBudget, CLI_MAX_BYTES, cutToBudget, RESULT_MAX_BYTES } from "./budget.ts";
import type { GlobalFlags } from "./global_flags.ts";
import { escapedJson, printable, printableJson, wellFormed, wellFormedJson } from "./terminal.ts";

/** How a command line wants its answer. */
export interface Printing {
  format: "text" | "json";
  maxBytes?: number;
  offset?: number;
  /** The file that takes all of it. */
  out?: string;
}

interface Printed {
  result: CommandResult;
  text: string;
  /** Half of the text is of no use. */
  isWhole?: boolean;
}

/** How to get what is over the budget and cannot be cut. */
const REMEDY = "Write it whole with --out <file>, or allow more with --max-bytes";

/** What the flags of a command line say of its answer. */
export function printingOf({ json, maxBytes, offset, out }: GlobalFlags): Printing {
  return {
    format: json ? "json" : "text",
    ...(maxBytes !== undefined && { maxBytes }),
    ...(offset !== undefined && { offset }),
    ...(out !== undefined && { out }),
  };
}

/** The same for a step of another call, whose answer is part of that one's: undefined where its own flags say nothing. */
export function printingOfStep(flags: GlobalFlags): Printing | undefined {
  const { json, maxBytes, offset, out } = flags;
  return [json, maxBytes, offset, out].some((flag) => flag !== undefined) ? printingOf(flags) : undefined;
}

/** What a terminal or pipe gets. Throws `too_large` for JSON, and for text that must be whole, over the budget. */
export function print({ result, text, isWhole }: Printed, { format, maxBytes, offset }: Printing): string {
  if (format === "text" && isWhole) {
    assertWithinBudget(text, maxBytes ?? RESULT_MAX_BYTES, REMEDY);
    return printable(text);
  }
  if (format === "text") {
    return cutToBudget(printable(text), {
      maxBytes: maxBytes ?? CLI_MAX_BYTES,
      ...(offset !== undefined && { offset }),
    });
  }
  const json = wellFormedJson(result);
  const allowed = maxBytes ?? RESULT_MAX_BYTES;
  // What a terminal needs escaped only adds to it, and takes its time.
  assertWithinBudget(json, allowed, REMEDY);
  const printed = escapedJson(json);
  assertWithinBudget(printed, allowed, REMEDY);
  return printed;
}

/** What a file gets: all of it, as it is. */
export function fileContent({ result, text }: Printed, { format }: Printing): string {
  const content = format === "json" ? printableJson(result) : wellFormed(text);
  return content === "" || content.endsWith("\n") ? content : `${content}\n`;
}
