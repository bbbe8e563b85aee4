/** A process and those that it started, on Linux: behind the outer wall, the script's is the last of them. */
import { readFileSync } from "node:fs";

/** Deeper is nobody of ours. */
const MAX_PROCESSES = 16;

/** Pids, from the outermost on; only the given one where the system does not say. */
export function processTree(pid: number): number[] {
  const found = [pid];
  for (const each of found) {
    if (found.length < MAX_PROCESSES) found.push(...childrenOf(each));
  }
  return found.slice(0, MAX_PROCESSES);
}

/** What they hold of memory together, in bytes; 0 where the system does not say. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + residentBytes(pid), 0);
}

function childrenOf(pid: number): number[] {
  return textOf(`/proc/${pid}/task/${pid}/children`).split(" ").filter(Boolean).map(Number);
}

/** Source: proc_pid_status(5). */
function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0) * 1_024;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended, or this is another system.
    return "";
  }
}
