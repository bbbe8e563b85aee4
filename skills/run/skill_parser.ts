/** A skill's `parse`, given answers of its read: run as the skill is, but that nobody is there to be called. */
import { BrowseError } from "../../errors.ts";
import { alone, firstLine } from "./lone_process.ts";
import type { Started } from "./sandbox.ts";
import type { Exit, ProcessWatch } from "./skill_process.ts";

const PARSE_MS = 30_000;
/** Of what it makes of all answers. */
const MAX_RESULT_BYTES = 8_000_000;
const MAX_SAID = 1_000;

export interface ParseRun {
  name: string;
  watchdog: ProcessWatch;
  signal: AbortSignal;
  /** Address of the script, and what it imports. */
  load: { script: string; sources: Record<string, string> };
  answers: readonly unknown[];
}

/** What it makes of each. Throws `skill_failed`, `timeout`, and what the signal says. */
export async function runParser(
  started: Started,
  { name, watchdog, signal, load, answers }: ParseRun,
): Promise<unknown[]> {
  const told = { method: "skill.parse", params: { id: "parse", ...load, answers } };
  const run = { what: `The parsers of "${name}"`, watchdog, signal, timeoutMs: PARSE_MS, told };
  return await alone(started, run, async (process, log) => {
    const said = await Promise.race([firstLine(process.channel, MAX_RESULT_BYTES), process.exited]);
    if (typeof said === "string") return valuesIn(said, answers.length);
    throw failed(endOf(said), log.lastLines);
  });
}

function endOf(exit: Exit | undefined): string {
  return exit === undefined ? `gives over ${MAX_RESULT_BYTES} bytes` : "ends before it has given anything";
}

/** What the process says may be anything. */
function valuesIn(line: string, count: number): unknown[] {
  let value: unknown;
  let error: unknown;
  try {
    ({ value, error } = JSON.parse(JSON.parse(line)).params);
  } catch {
    throw failed("gives what cannot be read", []);
  }
  if (Array.isArray(value) && value.length === count) return value;
  const { message } = (error ?? {}) as { message?: unknown };
  throw failed(`fails: ${JSON.stringify(String(message ?? "no result").slice(0, MAX_SAID))}`, []);
}

function failed(how: string, log: readonly string[]): BrowseError {
  return new BrowseError("skill_failed", `The parser of the script ${how}`, {
    hint: "Change script.ts; what it printed is in the details",
    details: { log },
  });
}
