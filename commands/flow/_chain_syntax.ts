/** What `chain` and `batch` take: JSON lists of words, or command lines joined by `|`, or one a line. */
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { splitWords } from "../../wording.ts";
import { MAX_STEPS } from "./_step.ts";

const StepsSchema = v.pipe(
  v.array(v.pipe(v.array(v.union([v.string(), v.number(), v.boolean()])), v.minLength(1))),
  v.minLength(1),
);

/** The argv of each step. Throws `invalid_params`. */
export function parseChain(text: string): string[][] {
  const steps = (isJson(text) ? stepsOfJson(text, "chain") : splitAt(text, "bars")).map(withoutOwnName);
  if (steps.some((step) => step.length === 0)) {
    throw new BrowseError("invalid_params", "A command is missing before or after a `|`", {
      hint: "browse chain 'goto example.com | snapshot -i'",
    });
  }
  return withinLimit(steps, "chain");
}

/** The argv of each command; empty lines and comments are left out. Throws `invalid_params`. */
export function parseBatch(text: string): string[][] {
  const all = isJson(text) ? stepsOfJson(text, "batch") : splitAt(text, "lines");
  const steps = all.map(withoutOwnName).filter((step) => step.length > 0);
  if (steps.length > 0) return withinLimit(steps, "batch");
  throw new BrowseError("invalid_params", "The batch has no commands in it", { hint: "Write one command line a line" });
}

/** Lines are often copied as a shell has them: hints and examples are. */
function withoutOwnName(step: string[]): string[] {
  return step[0] === "browse" ? step.slice(1) : step;
}

function isJson(text: string): boolean {
  return text.trimStart().startsWith("[");
}

function withinLimit(steps: string[][], holder: string): string[][] {
  if (steps.length <= MAX_STEPS) return steps;
  throw new BrowseError("invalid_params", `A ${holder} takes at most ${MAX_STEPS} commands, not ${steps.length}`);
}

function stepsOfJson(text: string, holder: string): string[][] {
  const parsed = v.safeParse(StepsSchema, jsonOf(text, holder));
  if (parsed.success) return parsed.output.map((step) => step.map(String));
  throw new BrowseError("invalid_params", `The ${holder}'s JSON is not a list of commands`, {
    hint: 'It looks like [["goto", "example.com"], ["snapshot", "-i"]]',
  });
}

function jsonOf(text: string, holder: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    throw new BrowseError("invalid_params", `The ${holder}'s JSON does not parse: ${reason}`);
  }
}

function splitAt(text: string, ends: "bars" | "lines"): string[][] {
  const { lines, unclosed } = splitWords(text, ends);
  if (unclosed === undefined) return lines;
  throw new BrowseError("invalid_params", `A quote is not closed: ${unclosed.slice(0, 40)}`);
}
