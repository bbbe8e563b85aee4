/** How long a call may take. */
import type { Command, Unmet } from "../commands/command.ts";
import { BrowseError } from "./errors.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/** What the caller allows, else what the command takes. */
export function timeoutOf(command: Command, params: Record<string, unknown>, asked: number | undefined): number {
  const own = typeof command.timeoutMs === "function" ? command.timeoutMs(params) : command.timeoutMs;
  return Math.min(asked ?? own ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
}

/** `unmet`: what the command was waiting for, when it has said. */
export function timeoutError({ name }: Command, timeoutMs: number, unmet: Unmet | undefined): BrowseError {
  const details = { timeoutMs };
  if (!unmet) return new BrowseError("timeout", `"${name}" did not finish in ${timeoutMs} ms`, { details });
  const { what, now, hint } = unmet;
  const message = `Waited ${timeoutMs} ms for ${what}: ${now}`;
  return new BrowseError("timeout", message, { details, ...(hint !== undefined && { hint }) });
}
