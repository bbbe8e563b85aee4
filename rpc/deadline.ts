/** How long a call may take. */
import type { Command } from "../commands/command.ts";
import { BrowseError } from "./errors.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/** What the caller allows, else what the command takes. */
export function timeoutOf(command: Command, params: Record<string, unknown>, asked: number | undefined): number {
  const own = typeof command.timeoutMs === "function" ? command.timeoutMs(params) : command.timeoutMs;
  return Math.min(asked ?? own ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
}

export function timeoutError(command: Command, timeoutMs: number): BrowseError {
  return new BrowseError("timeout", `"${command.name}" did not finish in ${timeoutMs} ms`, { details: { timeoutMs } });
}
