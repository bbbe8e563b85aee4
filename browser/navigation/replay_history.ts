/** A tab's history, and giving it to a new page. */
import type { CDPSession, Page } from "playwright";
import { abortable } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { isLoadedUrl } from "../loaded_url.ts";
import type { Tab } from "../tabs/tab.ts";

export interface History {
  /** Addresses in order. */
  urls: string[];
  /** Of the one that is shown. */
  index: number;
}

/**
 * Asked of the browser, which knows it of a crashed page too: over a session of its own, as the tab's waits for ever when
 * the page crashed while it was opened. A tab starts on a blank page that nobody went to. What a caller loaded is there as
 * long as it is kept.
 */
export async function historyOf(tab: Tab): Promise<History> {
  const cdp = await tab.page.context().newCDPSession(tab.page);
  const history = await historyBy(cdp, tab);
  // Never answered for a crashed page.
  void cdp.detach().catch(() => undefined);
  return history;
}

/** The same over a session that is there. */
export async function historyBy(cdp: CDPSession, tab: Tab): Promise<History> {
  const { entries, currentIndex } = await cdp.send("Page.getNavigationHistory");
  const kept = entries.map(({ url }, index) => ({ url, isCurrent: index === currentIndex }));
  if (kept.length > 1 && kept[0]?.url === "about:blank" && currentIndex > 0) kept.shift();
  const there = kept.filter(({ url, isCurrent }) => isCurrent || !isLoadedUrl(url) || url === tab.loaded?.url);
  return { urls: there.map(({ url }) => url), index: there.findIndex(({ isCurrent }) => isCurrent) };
}

/** Leaves it nothing but the page that is shown. */
export async function forgetHistory(tab: Tab, signal: AbortSignal): Promise<void> {
  const cdp = await abortable(tab.page.context().newCDPSession(tab.page), signal);
  await abortable(cdp.send("Page.resetNavigationHistory"), signal);
  // Never answered for a crashed page.
  void cdp.detach().catch(() => undefined);
}

/**
 * Goes to each address in order, and loads the one that is shown. The others are answered with nothing: the browser
 * loads them when somebody goes back to them. Throws what the driver throws for the shown one.
 */
export async function walkHistory(page: Page, { urls, index }: History, signal: AbortSignal): Promise<void> {
  const shown = urls[index];
  if (shown === undefined || (urls.length === 1 && shown === "about:blank")) return;
  if (index === urls.length - 1) {
    await visitUnloaded(page, urls.slice(0, index), signal);
    await page.goto(shown, { waitUntil: "domcontentloaded", timeout: 0, signal });
    return;
  }
  await visitUnloaded(page, urls.slice(0, index + 1), signal);
  const cdp = await page.context().newCDPSession(page);
  const { entries, currentIndex } = await cdp.send("Page.getNavigationHistory");
  await visitUnloaded(page, urls.slice(index + 1), signal);
  const arrived = page.waitForEvent("domcontentloaded", { timeout: 0, signal });
  await cdp.send("Page.navigateToHistoryEntry", { entryId: entries[currentIndex]?.id ?? 0 });
  await arrived;
  await cdp.detach();
  if (page.url().startsWith("chrome-error:")) {
    throw new BrowseError("navigation_failed", `Cannot load "${shown}" again`);
  }
}

/** Goes to each address in order without asking anybody for it: `body` is shown there until it is loaded. */
export async function visitUnloaded(
  page: Page,
  urls: readonly string[],
  signal: AbortSignal,
  body = "",
): Promise<void> {
  if (urls.length === 0) return;
  const cdp = await page.context().newCDPSession(page);
  cdp.on("Fetch.requestPaused", ({ requestId }) => {
    const responseHeaders = [{ name: "content-type", value: "text/html" }];
    const answer = { requestId, responseCode: 200, responseHeaders, body: Buffer.from(body).toString("base64") };
    cdp.send("Fetch.fulfillRequest", answer).catch(() => undefined);
  });
  await cdp.send("Fetch.enable", { patterns: [{ urlPattern: "*", resourceType: "Document" }] });
  try {
    for (const url of urls) {
      // What has no address that can be gone to (the page's own blob: for one) is left out.
      await page.goto(url, { waitUntil: "domcontentloaded", timeout: 0, signal }).catch(() => signal.throwIfAborted());
    }
  } finally {
    await cdp.detach();
  }
}
