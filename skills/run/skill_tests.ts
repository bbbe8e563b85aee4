/** A skill's own tests of its parsers, run as the skill is, but that nobody is there to be called. */
import { alone } from "./lone_process.ts";
import type { Started } from "./sandbox.ts";
import type { ProcessWatch } from "./skill_process.ts";

export const TEST_FILE = "script.spec.ts";
const TEST_MS = 60_000;

export interface Tested {
  passed: number;
  failed: number;
  /** 0 only when all is well. */
  exitCode: number | null;
  /** What ends before its tests have run has passed none. */
  ok: boolean;
  /** What the tests printed, as TAP; no more than a megabyte of it. */
  lines: string[];
}

export interface TestRun {
  name: string;
  watchdog: ProcessWatch;
  signal: AbortSignal;
  timeoutMs?: number;
  /** Address of the tests, and what they import. */
  load: { script: string; sources: Record<string, string> };
}

/** Throws `timeout`, `skill_failed` for what takes too much memory, and what the signal says. */
export async function runTests(
  started: Started,
  { name, watchdog, signal, timeoutMs = TEST_MS, load }: TestRun,
): Promise<Tested> {
  const lines: string[] = [];
  const told = { method: "skill.test", params: load };
  const onLine = (line: string) => void lines.push(line);
  const run = { what: `The tests of "${name}"`, watchdog, signal, timeoutMs, told, onLine };
  const { code: exitCode } = await alone(started, run, async (process) => {
    process.channel.resume();
    return await process.exited;
  });
  const [passed, failed] = [numberIn(lines, "pass"), numberIn(lines, "fail")];
  return { passed, failed, exitCode, ok: exitCode === 0 && failed === 0 && passed > 0, lines };
}

/** Of the summary at the end: `# pass 3`. */
function numberIn(lines: readonly string[], what: string): number {
  const summary = lines.findLast((line) => line.startsWith(`# ${what} `));
  return Number(summary?.split(" ")[2] ?? 0);
}
