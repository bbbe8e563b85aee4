/** Closing a page that may not want to be closed, or cannot hear: its tab is gone in any case, and soon. */
import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContext } from "playwright";
import type { Tab } from "./tab.ts";

interface ClosableSession {
  readonly context: BrowserContext;
  readonly tabs: readonly Tab[];
}

/** The browser itself waits half a second for what a page does when it is left. */
const ASKED_MS = 1_000;
/** For the browser to tell that a renderer has ended; what it has said before comes first. */
const ENDED_MS = 500;

/**
 * Closes the tab's page. One that takes too long loses its renderer, and one whose end does not get through behind what
 * it has said is taken for closed: it closes when that is through. Never rejects.
 */
export async function closePage(tab: Tab): Promise<void> {
  const { page } = tab;
  // The browser may have gone before.
  const closed = page.close().catch(() => undefined);
  if (await isDone(closed, ASKED_MS)) return;
  // Heard even in the middle of a script.
  const ended = tab.cdp().then((cdp) => cdp.send("Page.crash"));
  ended.catch(() => undefined);
  await isDone(closed, ENDED_MS);
  tab.noteClosed(page);
}

/** Closes all tabs of the session, whatever their pages are doing, and the session with them. */
export async function closeSession({ context, tabs }: ClosableSession): Promise<void> {
  await Promise.all(tabs.map(closePage));
  await context.close();
}

async function isDone(work: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const late = delay(ms, false, { signal: over.signal }).catch(() => false);
  const isInTime = await Promise.race([work.then(() => true), late]);
  over.abort();
  return isInTime;
}
