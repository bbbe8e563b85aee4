/** Closing a page that may not want to be closed, or cannot hear: its tab is gone in any case, and soon. */
import { setTimeout as delay } from "node:timers/promises";
import type { BrowserContext, Page } from "playwright";
import type { Tab } from "./tab.ts";

interface ClosableSession {
  readonly context: BrowserContext;
  readonly tabs: readonly Tab[];
}

/** The browser itself waits half a second for what a page does when it is left. */
const ASKED_MS = 1_000;
/** For the browser to tell that a renderer has ended; what it has said before comes first. */
const ENDED_MS = 500;

export interface ClosingOptions {
  /** As a person closes a tab: the page is told, and may open its dialog for that, which is answered like any other. */
  tells?: boolean;
}

/**
 * Closes the tab's page. One that takes too long loses its renderer, and one whose end does not get through behind what
 * it has said is taken for closed: it closes when that is through. Never rejects.
 */
export async function closePage(tab: Tab, { tells = false }: ClosingOptions = {}): Promise<void> {
  const { page } = tab;
  // One that has crashed, or is held up by a dialog, hears nothing.
  const isHeard = tells && tab.isOpen && !tab.dialogs.open;
  const told = isHeard && (await isDone(untilLeft(page), ASKED_MS));
  if (told) return;
  // The browser may have gone before.
  const closed = page.close().catch(() => undefined);
  if (await isDone(closed, isHeard ? 0 : ASKED_MS)) return;
  // Heard even in the middle of a script.
  const ended = tab.cdp().then((cdp) => cdp.send("Page.crash"));
  ended.catch(() => undefined);
  await isDone(closed, ENDED_MS);
  tab.noteClosed(page);
}

async function untilLeft(page: Page): Promise<void> {
  if (page.isClosed()) return;
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  page.once("close", () => resolve());
  // One whose message does not get through has gone, or is closed in another way.
  await page.close({ runBeforeUnload: true }).catch(() => undefined);
  await closed;
}

/** Closes all tabs of the session, whatever their pages are doing, and the session with them. */
export async function closeSession({ context, tabs }: ClosableSession): Promise<void> {
  await Promise.all(tabs.map(async (tab) => await closePage(tab)));
  await context.close();
}

async function isDone(work: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const late = delay(ms, false, { signal: over.signal }).catch(() => false);
  const isInTime = await Promise.race([work.then(() => true), late]);
  over.abort();
  return isInTime;
}
