/** A skill's own tests of its parsers, run as the skill is, but that nobody is there to be called. */
import { abortable, abortReason } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import type { Started } from "./sandbox.ts";
import { ScriptLog } from "./script_log.ts";
import { type ProcessWatch, SkillProcess } from "./skill_process.ts";

export const TEST_FILE = "script.spec.ts";
const TEST_MS = 60_000;

export interface Tested {
  passed: number;
  failed: number;
  /** 0 only when all is well. */
  exitCode: number | null;
  /** What the tests printed, as TAP; no more than a megabyte of it. */
  lines: string[];
}

export interface TestRun {
  name: string;
  watchdog: ProcessWatch;
  signal: AbortSignal;
  timeoutMs?: number;
}

/** Throws `timeout`, and what the signal says. */
export async function runTests(
  started: Started,
  { name, watchdog, signal, timeoutMs = TEST_MS }: TestRun,
): Promise<Tested> {
  const tests = await SkillProcess.start(started, watchdog);
  const lines: string[] = [];
  const log = new ScriptLog({ onLine: (line) => lines.push(line), onFlood: () => void tests.kill() });
  for (const output of tests.outputs) log.follow(output);
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const { code } = await abortable(tests.exited, AbortSignal.any([signal, late]));
    log.end();
    return { passed: numberIn(lines, "pass"), failed: numberIn(lines, "fail"), exitCode: code, lines };
  } catch {
    if (signal.aborted) throw abortReason(signal);
    throw new BrowseError("timeout", `The tests of "${name}" did not end in ${timeoutMs} ms, and were ended`, {
      details: { timeoutMs, log: log.lastLines },
    });
  } finally {
    await tests.kill();
  }
}

/** Of the summary at the end: `# pass 3`. */
function numberIn(lines: readonly string[], what: string): number {
  const summary = lines.findLast((line) => line.startsWith(`# ${what} `));
  return Number(summary?.split(" ")[2] ?? 0);
}
