/** A tab whose page has crashed or hangs, opened again in a new one: the driver uses a page that has crashed no more. */
import type { Page } from "playwright";
import { abortable } from "../../abort.ts";
import { PLAIN_SCREEN, setViewport } from "../emulation/viewport.ts";
import { type History, historyOf, visitUnloaded } from "../navigation/replay_history.ts";
import type { SessionEmulation } from "../sessions/session_emulation.ts";
import type { PreparedPage } from "../sessions/session_options.ts";
import type { Tab } from "./tab.ts";

interface Revival {
  page: Page;
  emulation: SessionEmulation;
  /** The tab's, where the browser does not tell it any more. */
  history: History | undefined;
  /** Lays the rules that the tab loads by, before the page loads these. */
  prepare: (urls: readonly string[]) => Promise<void>;
  signal: AbortSignal;
}

/** What the tab shows until it is loaded: nobody is to take it for what the page is. */
const PLACEHOLDER = "<!doctype html><title>Crashed</title>This page has crashed, and has not been loaded again";

/**
 * The tab is open again when this resolves, like the others of its session and at the address that it was at, with what
 * it can go back to, and has loaded nothing. What lived in the page is lost, the tab's session storage too.
 */
export async function reviveIn(tab: Tab, { page, emulation, history, prepare, signal }: Revival): Promise<void> {
  const crashed = tab.page;
  try {
    const { urls, index } = history ?? (await abortable(historyOf(tab), signal));
    const cdp = await page.context().newCDPSession(page);
    const prepared: PreparedPage = { page, metrics: PLAIN_SCREEN, cdp: async () => cdp };
    await emulation.prepare(prepared);
    await prepare(urls);
    const size = crashed.viewportSize();
    if (size) await setViewport(prepared, { size, metrics: tab.metrics });
    await tab.loaded?.serveIn(page);
    await visitUnloaded(page, urls.slice(0, index + 1), signal, PLACEHOLDER);
    signal.throwIfAborted();
    tab.moveTo(prepared);
  } catch (error) {
    await page.close();
    throw error;
  }
  // One that hangs is closed all the same, and need not be waited for.
  crashed.close().catch(() => undefined);
}
