import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** Each costs a process a fraction of a millisecond. */
const ASK_EVERY_MS = 5;

/** Does a process of that id run? One that has ended and waits to be collected does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/**
 * Resolves when none of them runs any more, or the time is up. Of a process that is nobody's child here the system tells
 * no end that Node could wait for, so it is asked.
 */
export async function untilEnded(pids: readonly number[], maxMs = Number.POSITIVE_INFINITY): Promise<void> {
  const deadline = performance.now() + maxMs;
  while (pids.some(isRunning) && performance.now() < deadline) await setTimeout(ASK_EVERY_MS);
}
