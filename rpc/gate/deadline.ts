/** How long a call may take. */
import { abortReason } from "../../abort.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import type { Unmet } from "../../browser/unmet.ts";
import type { Command } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 24 * 60 * 60 * 1_000;

/** What the caller allows, else what the command takes. */
export function timeoutOf(command: Command, params: Record<string, unknown>, asked: number | undefined): number {
  const own = typeof command.timeoutMs === "function" ? command.timeoutMs(params) : command.timeoutMs;
  return Math.min(asked ?? own ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
}

interface Waiting {
  /** What the command waits for, when it has said. */
  unmet?: () => Unmet;
  tab?: Tab;
}

export function timeoutError({ spelling }: Command, timeoutMs: number, { unmet, tab }: Waiting): BrowseError {
  const known = unmet?.() ?? tab?.pendingNavigation.delay;
  if (known) return waitedError(timeoutMs, known);
  return new BrowseError("timeout", `"${spelling}" did not finish in ${timeoutMs} ms`, { details: { timeoutMs } });
}

/** An error of a command that began at `since`: one that took too long by what is known of its tab, any other as it is. */
export function explained(error: unknown, since: number, tab: Tab | undefined): unknown {
  const isLate = error instanceof BrowseError && error.kind === "timeout";
  const known = isLate ? tab?.pendingNavigation.delay : undefined;
  return known ? waitedError(Math.round(performance.now() - since), known) : error;
}

/** What an earlier daemon had is not there again. */
export const UNWOKEN: Unmet = {
  what: "the tabs of before",
  now: "they are still being loaded again",
  hint: "Give more time with `--timeout <ms>`",
};

/** Why a call has no session to work in: what the browser does meanwhile. */
export function unopened(browser: "none" | "starting" | "running" | "gone"): Unmet {
  if (browser === "running") return { what: "a session of Chromium", now: "Chromium does not answer" };
  const hint = "Run `browse doctor`, which tells what is started; or give more time with `--timeout <ms>`";
  return { what: "Chromium", now: "it has not come up yet", hint };
}

/** The end of a call that leaves something to go on with, which its caller is told with it. */
export function withLeft(reason: unknown, unmet: Unmet | undefined): unknown {
  if (!unmet?.left) return reason;
  const { kind, message, hint, details } = reason instanceof BrowseError ? reason : abortReason({ reason });
  if (kind === "timeout") return reason;
  return new BrowseError(kind, `${message}: ${unmet.now}`, {
    hint: unmet.hint ?? hint,
    details: { ...details, ...unmet.left },
    cause: reason,
  });
}

function waitedError(timeoutMs: number, { what, now, hint, left }: Unmet): BrowseError {
  const message = `Waited ${timeoutMs} ms for ${what}: ${now}`;
  return new BrowseError("timeout", message, {
    details: { timeoutMs, ...left },
    ...(hint !== undefined && { hint }),
  });
}
