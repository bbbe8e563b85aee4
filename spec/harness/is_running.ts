import { readFileSync } from "node:fs";

/** Does a process of that id run? One that has ended and waits to be collected does not. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
