/** Waiting for what a tab will be. Each ends with the signal: deadlines are the caller's. */

import { setTimeout as delay } from "node:timers/promises";
import { CutOff, cutOffError, unloadedError } from "../../browser/navigation/cut_off.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { matchesGlob } from "../../security/urls/glob.ts";

/** Between two looks at a condition that no event announces. */
const LOOK_EVERY_MS = 50;

/** Looks until the answer is true. */
export async function waitUntilTrue(look: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!(await look())) await delay(LOOK_EVERY_MS, undefined, { signal });
}

/** Waits for an address; `*` stands for any run of characters. */
export async function waitForUrl(tab: Tab, glob: string, signal: AbortSignal): Promise<void> {
  await tab.page.waitForURL((url) => matchesGlob(glob, url.href), { waitUntil: "commit", timeout: 0, signal });
}

/**
 * Waits for the page that the tab is on, or on its way to. Throws `navigation_failed` for one that did not load, or broke
 * off.
 */
export async function waitForLoad(tab: Tab, signal: AbortSignal): Promise<void> {
  const { pendingNavigation } = tab;
  const started = performance.now();
  await pendingNavigation.untilOver(signal);
  const missed =
    pendingNavigation.failed && pendingNavigation.failed.at > started ? pendingNavigation.failed : undefined;
  const unloaded = pendingNavigation.unshown ?? missed;
  if (unloaded && !HAS_AN_END.has(unloaded.network)) throw unloadedError(unloaded);
  if (pendingNavigation.cut) throw cutOffError(pendingNavigation.cut);
  using cut = new CutOff(tab);
  try {
    await tab.page.waitForLoadState("load", { timeout: 0, signal: AbortSignal.any([signal, cut.signal]) });
  } catch (error) {
    throw cut.error ?? error;
  }
}

/** The tab stays on the page that it was on, or the server has sent all that there is. */
const HAS_AN_END: ReadonlySet<string> = new Set(["ERR_ABORTED", "ERR_HTTP_RESPONSE_CODE_FAILURE"]);
