/** What every answer of the command line has to keep, whatever was asked and whatever the page did. */
import { CLI_MAX_CHARS, RESULT_MAX_BYTES } from "../rpc/line/budget.ts";
import type { Broken } from "./arena.ts";
import type { Timed } from "./workspace.ts";

/** For sending, scheduling and printing, on top of the time the call may take. */
const LATE_BY_MS = 500;
/** The line that says how much was left out, and what the action did. */
const BEYOND_BUDGET = 4_096;
const MAX_STDERR_BYTES = 16_384;
/** C0 without tab and newline, DEL, C1. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
/** They turn the order of what follows on a terminal. */
const BIDI = /[\u202a-\u202e\u2066-\u2069]/;
/** Output that is free text of the page, line by line. */
const FREE_TEXT = new Set(["text", "html", "markdown", "js", "eval", "cdp"]);

export interface Asked {
  command: string;
  isJson: boolean;
  timeoutMs: number;
  /** A moment of the machine's own on top. */
  graceMs?: number;
}

export function brokenBy(answer: Timed, asked: Asked): Broken[] {
  return [
    ...lateness(answer, asked),
    ...sizes(answer, asked),
    ...characters(answer, asked),
    ...envelopes(answer, asked),
  ];
}

/** What the caller was told went wrong; undefined for a success, and for a failure without an error. */
export function kindOf({ stderr, exitCode }: Pick<Timed, "stderr" | "exitCode">): string | undefined {
  if (exitCode === 0) return undefined;
  const line = stderr.split("\n").find((text) => text.startsWith('{"error"'));
  if (line) return (JSON.parse(line) as { error: { kind: string } }).error.kind;
  return stderr.includes("Something went wrong inside browse") ? "internal" : undefined;
}

function lateness({ ms }: Timed, { timeoutMs, graceMs = 0 }: Asked): Broken[] {
  const limit = timeoutMs + LATE_BY_MS + graceMs;
  if (ms <= limit) return [];
  return [{ promise: "the answer comes within its deadline", seen: `${ms.toFixed(0)} ms of ${limit.toFixed(0)} ms` }];
}

/** A stream has as many lines as there are events, each of which is cut. */
const STREAMS: ReadonlySet<string> = new Set(["events", "watch"]);
/** Cut, they would be of no use. */
const WHOLE: ReadonlySet<string> = new Set(["completion", "docs", "screenshot"]);

function sizes({ stdout, stderr }: Timed, { command, isJson }: Asked): Broken[] {
  // `docs --openrpc` is JSON by itself.
  const isForPrograms = isJson || stdout.startsWith("{") || WHOLE.has(command);
  const budget = (isForPrograms ? RESULT_MAX_BYTES : CLI_MAX_CHARS) + BEYOND_BUDGET;
  const out = isForPrograms ? Buffer.byteLength(stdout) : stdout.length;
  const errors = Buffer.byteLength(stderr);
  const broken: Broken[] = [];
  if (out > budget && !STREAMS.has(command))
    broken.push({ promise: "the output keeps its budget", seen: `${out} of ${budget}` });
  if (errors > MAX_STDERR_BYTES) broken.push({ promise: "an error is short", seen: `${errors} bytes on stderr` });
  return broken;
}

function characters({ stdout, stderr }: Timed, { command, isJson }: Asked): Broken[] {
  const broken: Broken[] = [];
  // Lines of CSV end so, as RFC 4180 has it.
  const lines = command === "table" ? stdout.replaceAll("\r\n", "\n") : stdout;
  for (const [name, text] of Object.entries({ stdout: lines, stderr })) {
    const control = CONTROL.exec(text);
    if (control) broken.push({ promise: "no control character is printed", seen: around(name, text, control.index) });
    const bidi = isJson || command === "html" ? null : BIDI.exec(text);
    if (bidi)
      broken.push({ promise: "nothing that is printed turns the writing order", seen: around(name, text, bidi.index) });
    if (!isWellFormed(text, isJson)) broken.push({ promise: "no lone surrogate is printed", seen: name });
  }
  return broken;
}

function isWellFormed(text: string, isJson: boolean): boolean {
  // JSON escapes a lone surrogate, which whoever parses it has again.
  const escaped = isJson && /\\ud[89a-f]/i.test(text);
  if (!escaped) return text.isWellFormed();
  return text
    .split("\n")
    .every((line) => !line.startsWith("{") || parsedStrings(line).every((one) => one.isWellFormed()));
}

function parsedStrings(line: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(line, (key, value: unknown) => {
      found.push(key);
      if (typeof value === "string") found.push(value);
      return value;
    });
  } catch {
    // Not JSON after all, or cut: its characters have been looked at as they are.
  }
  return found;
}

function envelopes(answer: Timed, { command, isJson }: Asked): Broken[] {
  const { stdout, stderr, exitCode } = answer;
  const lines = stderr.split("\n");
  const errors = lines.filter((line) => (isJson ? line.startsWith('{"error"') : line.startsWith("Error: "))).length;
  const broken: Broken[] = [];
  // `doctor`, `chain` and their like answer, and exit with 1 because of what they found.
  const isFinding = exitCode === 1 && errors === 0 && stdout !== "";
  if (!isFinding && errors !== (exitCode === 0 ? 0 : 1)) {
    broken.push({
      promise: "a failure tells exactly one error",
      seen: `exit ${exitCode}, ${errors} errors: ${stderr}`,
    });
  }
  if (kindOf(answer) === "internal") {
    broken.push({ promise: "nothing goes wrong inside browse", seen: stderr });
  }
  const forged = /^(Error|Hint): .*/m.exec(stdout);
  if (!isJson && forged && !FREE_TEXT.has(command) && !stdout.startsWith("⟦page")) {
    broken.push({ promise: "a page cannot forge our lines", seen: around("stdout", stdout, forged.index) });
  }
  const nonce = /^⟦page ([0-9a-f]+)/.exec(stdout)?.[1];
  if (nonce !== undefined && stdout.split(`⟦/page ${nonce}`).length !== 2) {
    broken.push({ promise: "page content stands in exactly one envelope", seen: stdout.slice(0, 200) });
  }
  return broken;
}

function around(name: string, text: string, index: number): string {
  return `${name}: ${JSON.stringify(text.slice(Math.max(0, index - 60), index + 60))}`;
}
