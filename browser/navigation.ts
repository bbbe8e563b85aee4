/** Moving a tab from one address to another, and saying how it went. */
import type { Frame, Page, Response } from "playwright";
import { BrowseError } from "../rpc/errors.ts";
import { KeptBack } from "./kept_back.ts";
import { RefusedLoads } from "./refused_loads.ts";
import type { Tab } from "./tab.ts";

export type WaitUntil = "load" | "dom" | "idle" | "commit";

export interface Arrival {
  url: string;
  /** HTTP status; absent where there is none (about:blank, a hash). */
  status?: number;
  /** Addresses passed through, in order, the requested one first. */
  redirects?: string[];
}

interface NavigationOptions {
  wait: WaitUntil;
  signal: AbortSignal;
}

const DRIVER_WAIT = { load: "load", dom: "domcontentloaded", idle: "networkidle", commit: "commit" } as const;

/** Browsers let a page break off one load for each press on it: one that is pressed meanwhile has its way in the end. */
const MAX_TRIES = 3;
/** From a page's asking to be left to the load that it breaks off by that. */
const MAX_LEAVING_MS = 1_000;
/** From a load's failure to the page that says so. */
const ERROR_PAGE_MS = 1_000;

export async function goTo(tab: Tab, url: string, { wait, signal }: NavigationOptions): Promise<Arrival> {
  try {
    await tab.opening(url);
    const options = { waitUntil: DRIVER_WAIT[wait], timeout: 0 } as const;
    const response = await insist(tab, signal, (until) => tab.page.goto(url, { ...options, signal: until }));
    await forgetLoaded(tab, url);
    return arrivalOf(tab.page, response);
  } catch (error) {
    // The address was a file to download: the page stays where it was, and the effect names the file.
    if (error instanceof Error && /Download is starting/.test(error.message)) return { url: tab.page.url() };
    throw error;
  }
}

export async function reload(
  tab: Tab,
  { hard, wait, signal }: NavigationOptions & { hard: boolean },
): Promise<Arrival> {
  if (hard) await (await tab.cdp()).send("Network.clearBrowserCache");
  const options = { waitUntil: DRIVER_WAIT[wait], timeout: 0 } as const;
  const again = async (until: AbortSignal) => await tab.page.reload({ ...options, signal: until });
  return arrivalOf(tab.page, await attempt(tab, signal, again));
}

/** One step through the tab's history. Waits for the commit only: a page restored from the cache never loads again. */
export async function step(tab: Tab, direction: "back" | "forward", signal: AbortSignal): Promise<Arrival> {
  const cdp = await tab.cdp();
  const { currentIndex, entries } = await cdp.send("Page.getNavigationHistory");
  const index = currentIndex + (direction === "back" ? -1 : 1);
  const target = entries[index];
  // A tab starts on a blank page that nobody went to.
  if (!target || (index === 0 && target.url === "about:blank"))
    throw new BrowseError("not_found", `There is no page to go ${direction} to`, { hint: "Use `browse goto`" });
  const response = await attempt(tab, signal, async (until) => {
    const options = { waitUntil: "commit", timeout: 0, signal: until } as const;
    return await (direction === "back" ? tab.page.goBack(options) : tab.page.goForward(options));
  });
  await tab.page.waitForLoadState("domcontentloaded", { timeout: 0, signal });
  return arrivalOf(tab.page, response);
}

/**
 * A page that goes elsewhere by itself breaks off what its tab is sent to. Whoever sends the tab means it, as somebody
 * does who types an address, so it is sent again.
 */
async function insist<T>(tab: Tab, signal: AbortSignal, navigate: (until: AbortSignal) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const since = performance.now() - MAX_LEAVING_MS;
    try {
      return await attempt(tab, signal, navigate);
    } catch (error) {
      if (tries === MAX_TRIES || signal.aborted || !isOvertaken(tab, error, since)) throw error;
      await stopLoading(tab);
    }
  }
}

/** The page went elsewhere meanwhile. Loads are broken off for other reasons too: an answer without content, a user. */
function isOvertaken(tab: Tab, error: unknown, since: number): boolean {
  if (/is interrupted by another navigation/.test(String(error))) return true;
  return /net::ERR_ABORTED/.test(String(error)) && tab.departure.isAskedFor(since);
}

/** Whoever fails here has failed for good: what the browser would still do of it would break off the next navigation. */
async function attempt<T>(tab: Tab, signal: AbortSignal, navigate: (until: AbortSignal) => Promise<T>): Promise<T> {
  const frame = tab.page.mainFrame();
  const before = tab.navigationsOf(frame);
  using refused = new RefusedLoads(tab);
  using kept = new KeptBack(tab);
  try {
    const result = await navigate(AbortSignal.any([signal, kept.signal, refused.signal]));
    const leaving = await refused.leaving();
    if (leaving) throw leaving;
    // Whoever sends the tab elsewhere knows that its frames are gone.
    if (!tab.scope) tab.scopeTo(undefined);
    return result;
  } catch (error) {
    if (kept.error) {
      await stopLoading(tab);
      throw kept.error;
    }
    if (tab.navigationsOf(frame) === before) {
      if (signal.aborted) await stopLoading(tab);
      else if (/net::ERR_(?!ABORTED)/.test(String(error))) await untilErrorPage(tab);
    }
    throw (await refused.leaving()) ?? refused.ofTab ?? error;
  }
}

async function stopLoading(tab: Tab): Promise<void> {
  const stopped = tab.cdp().then((cdp) => cdp.send("Page.stopLoading"));
  // A tab that has closed meanwhile loads nothing any more.
  await stopped.catch(() => undefined);
}

/** The browser shows a page of its own for a failed load, a moment after the failure. */
async function untilErrorPage({ page }: Tab): Promise<void> {
  const predicate = (frame: Frame) => frame === page.mainFrame();
  // Where none comes, or the tab closes, nothing is left to wait for.
  await page.waitForEvent("framenavigated", { predicate, timeout: ERROR_PAGE_MS }).catch(() => undefined);
}

/** A document that a caller gave is kept until the tab has been sent elsewhere. */
async function forgetLoaded(tab: Tab, url: string): Promise<void> {
  const { loaded } = tab;
  if (!loaded || loaded.url === url) return;
  tab.loaded = undefined;
  await loaded.stop();
}

function arrivalOf(page: Page, response: Response | null): Arrival {
  const redirects = response ? redirectsOf(response) : [];
  return {
    url: page.url(),
    ...(response ? { status: response.status() } : {}),
    ...(redirects.length > 0 ? { redirects } : {}),
  };
}

function redirectsOf(response: Response): string[] {
  const passed: string[] = [];
  for (let request = response.request().redirectedFrom(); request; request = request.redirectedFrom()) {
    passed.unshift(request.url());
  }
  return passed;
}
