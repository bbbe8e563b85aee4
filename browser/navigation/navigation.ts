/** Moving a tab from one address to another, and saying how it went. */

import { once } from "node:events";
import type { Frame, Page, Response } from "playwright";
import { abortable } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { cutUrl, redactUrl } from "../../security/secrets/redact.ts";
import { isForOtherProgram } from "../../security/urls/other_program.ts";
import { translateDriverError } from "../driver/errors.ts";
import { isUnsent } from "../driver/network_errors.ts";
import { valueInWorld } from "../driver/world.ts";
import type { Tab } from "../tabs/tab.ts";
import type { Unmet } from "../unmet.ts";
import { BeforeUnloadGuard } from "./before_unload_guard.ts";
import { CutOff } from "./cut_off.ts";
import { FrameStep } from "./frame_step.ts";
import { HungPage } from "./hung_page.ts";
import { LoadProgress } from "./load_progress.ts";
import { RefusedLoads } from "./refused_loads.ts";

export type WaitUntil = "load" | "dom" | "idle" | "commit";

export interface NavigationResult {
  url: string;
  /** HTTP status; absent where there is none (about:blank, a hash). */
  status?: number;
  /** Addresses passed through, in order, the requested one first. */
  redirects?: string[];
  /** No server was asked: the browser showed what it had kept, as it does at a step through the history. */
  isCached?: true;
  /** `nothing`: the server answered without a page, and the browser shows that. `before`: the tab stays on its page. */
  shows?: "nothing" | "before";
  /** A step through the history was one of a frame: the page stays. */
  inFrame?: true;
}

interface StepOptions {
  signal: AbortSignal;
  /** Given what tells, should the time be over, how far the load has come. */
  waitsFor?: (tell: () => Unmet) => void;
}

interface NavigationOptions extends StepOptions {
  wait: WaitUntil;
}

interface Load extends StepOptions {
  /** The address that is asked for. */
  to: string;
}

const DRIVER_WAIT = { load: "load", dom: "domcontentloaded", idle: "networkidle", commit: "commit" } as const;

/** Browsers let a page break off one load for each press on it: one that is pressed meanwhile has its way in the end. */
const MAX_TRIES = 3;
/** From a page's asking to be left to the load that it breaks off by that. */
const MAX_LEAVING_MS = 1_000;
/** From a load's failure to the page that says so. */
const ERROR_PAGE_MS = 3_000;

export async function goTo(
  tab: Tab,
  url: string,
  { wait, signal, ...own }: NavigationOptions,
): Promise<NavigationResult> {
  await tab.opening(url);
  const options = { waitUntil: DRIVER_WAIT[wait], timeout: 0 } as const;
  const load = { ...own, signal, to: url };
  const arrival = await insist(tab, load, (until) => tab.page.goto(url, { ...options, signal: until }));
  await forgetLoaded(tab, arrival.url);
  return arrival;
}

interface ReloadOptions extends NavigationOptions {
  /** Past the browser's cache. */
  hard: boolean;
  /** Of the answer to a form: send the form again. */
  resend: boolean;
}

/** Throws `invalid_params` for the answer to a form that is not to be sent again. */
export async function reload(tab: Tab, { hard, resend, wait, ...own }: ReloadOptions): Promise<NavigationResult> {
  if (tab.pendingNavigation.isSent && !resend) {
    throw new BrowseError(
      "invalid_params",
      "This page is the answer to a form: loading it again would send the form again",
      {
        hint: `Send it again with \`browse reload --resend\`, or go to ${cutUrl(shownUrl(tab))} without it`,
      },
    );
  }
  if (hard) await (await tab.cdp()).send("Network.clearBrowserCache");
  const options = { waitUntil: DRIVER_WAIT[wait], timeout: 0 } as const;
  const reloading = attempt(tab, { ...own, to: shownUrl(tab) }, async (until) => {
    await stay(tab, until);
    return await tab.page.reload({ ...options, signal: until });
  });
  return resend ? await reloading.catch((error: unknown) => Promise.reject(sentAgain(error))) : await reloading;
}

/** A form that was sent may have been carried out, whatever became of its answer. */
function sentAgain(error: unknown): unknown {
  if (!(error instanceof BrowseError) || error.kind !== "navigation_failed") return error;
  const { network } = error.details;
  if (typeof network !== "string" || isUnsent(network)) return error;
  return new BrowseError("outcome_unknown", `The form may have been sent and carried out: ${error.message}`, {
    hint: "Look whether it was before you send it again",
    details: error.details,
    cause: error,
  });
}

/** One step through the tab's history. Waits for the commit only: a page restored from the cache never loads again. */
export async function step(tab: Tab, direction: "back" | "forward", own: StepOptions): Promise<NavigationResult> {
  const cdp = await tab.cdp();
  const { currentIndex, entries } = await cdp.send("Page.getNavigationHistory");
  const index = currentIndex + (direction === "back" ? -1 : 1);
  const target = entries[index];
  // A tab starts on a blank page that nobody went to.
  if (!target || (index === 0 && target.url === "about:blank"))
    throw new BrowseError("not_found", `There is no page to go ${direction} to`, { hint: "Use `browse goto`" });
  using inFrame = new FrameStep(tab, index);
  const waitsFor: Load["waitsFor"] = (tell) => own.waitsFor?.(() => inFrame.unmet ?? tell());
  const arrival = await attempt(tab, { signal: own.signal, waitsFor, to: target.url }, async (until) => {
    await stay(tab, until);
    const options = { waitUntil: "commit", timeout: 0, signal: AbortSignal.any([until, inFrame.signal]) } as const;
    const going = direction === "back" ? tab.page.goBack(options) : tab.page.goForward(options);
    const response = await going.catch((error: unknown) => {
      if (inFrame.isTaken) return null;
      throw error;
    });
    if (!inFrame.isTaken) await tab.page.waitForLoadState("domcontentloaded", { timeout: 0, signal: until });
    return response;
  });
  if (inFrame.isTaken) return { ...arrival, inFrame: true };
  if (arrival.status === undefined || arrival.shows) return arrival;
  return (await isFromCache(tab, own.signal)) ? { ...arrival, isCached: true } : arrival;
}

/** Was the document that is shown taken from the browser's cache? No is said of one that is left meanwhile, too. */
async function isFromCache({ page }: Tab, signal: AbortSignal): Promise<boolean> {
  const expression = `performance.getEntriesByType("navigation")[0]?.deliveryType`;
  return (await abortable(valueInWorld(page.mainFrame(), expression), signal)) === "cache";
}

/** Of the page in the tab, or of the one that could not be loaded. */
function shownUrl({ page, pendingNavigation }: Tab): string {
  return pendingNavigation.unshown?.url ?? page.url();
}

/**
 * A page that goes elsewhere by itself breaks off what its tab is sent to. Whoever sends the tab means it, as somebody
 * does who types an address, so it is sent again.
 */
async function insist(tab: Tab, load: Load, navigate: Navigate): Promise<NavigationResult> {
  for (let tries = 1; ; tries++) {
    const since = performance.now() - MAX_LEAVING_MS;
    try {
      return await attempt(tab, load, navigate);
    } catch (error) {
      if (tries === MAX_TRIES || load.signal.aborted || !isOvertaken(tab, error, since)) throw error;
      await stopLoading(tab);
    }
  }
}

/** The page went elsewhere meanwhile. Loads are broken off for other reasons too: an answer without content, a user. */
function isOvertaken(tab: Tab, error: unknown, since: number): boolean {
  const cause = error instanceof BrowseError ? error.cause : error;
  if (/is interrupted by another navigation/.test(String(cause))) return true;
  return /net::ERR_ABORTED/.test(String(cause)) && tab.pendingNavigation.isAskedFor(since);
}

type Navigate = (until: AbortSignal) => Promise<Response | null>;

/** Whoever fails here has failed for good: what the browser would still do of it would break off the next navigation. */
async function attempt(tab: Tab, { to, signal, waitsFor }: Load, navigate: Navigate): Promise<NavigationResult> {
  const frame = tab.page.mainFrame();
  const before = tab.navigationsOf(frame);
  const started = performance.now();
  using refused = new RefusedLoads(tab);
  using kept = new BeforeUnloadGuard(tab);
  using cut = new CutOff(tab);
  using hung = await HungPage.watch(tab);
  using progress = new LoadProgress(tab, to);
  waitsFor?.(() => progress.unmet);
  try {
    const response = await navigate(AbortSignal.any([signal, kept.signal, refused.signal, cut.signal, hung.signal]));
    const leaving = await refused.leaving();
    if (leaving) throw leaving;
    // Whoever sends the tab elsewhere knows that its frames are gone.
    if (!tab.scope) tab.scopeTo(undefined);
    return arrivalOf(tab.page, response);
  } catch (error) {
    if (hung.error && !signal.aborted) throw hung.error;
    if (kept.error) {
      await stopLoading(tab);
      throw kept.error;
    }
    if (signal.aborted && tab.navigationsOf(frame) === before) await stopLoading(tab);
    else if (!signal.aborted && /net::ERR_(?!ABORTED)/.test(String(error))) await untilErrorPage(tab, before);
    const refusal = (await refused.leaving()) ?? refused.ofTab ?? cut.error;
    if (refusal) throw refusal;
    const answered = withoutPage(tab, started);
    if (answered) return answered;
    // The effect names the file.
    if (/Download is starting/.test(String(error))) {
      await progress.becameDownload();
      return { url: tab.url, shows: "before" };
    }
    throw leadsAway(tab, started, to) ?? translateDriverError(error, to);
  }
}

/** The server sent it to an address that no browser shows. */
function leadsAway({ pendingNavigation: { failed } }: Tab, since: number, to: string): BrowseError | undefined {
  if (!failed || failed.at < since || !isForOtherProgram(failed.url)) return undefined;
  const url = cutUrl(redactUrl(failed.url));
  return new BrowseError("navigation_failed", `"${to}" leads to "${url}", which browsers hand to another program`, {
    hint: "Nothing was opened, and the tab stays where it was: there is no page to see there",
    details: { network: failed.network },
  });
}

const NO_CONTENT: ReadonlySet<number | undefined> = new Set([204, 205]);

/** The server did answer, with a status that is all there is to tell. */
function withoutPage({ page, pendingNavigation: { failed } }: Tab, since: number): NavigationResult | undefined {
  if (failed?.status === undefined || failed.at < since) return undefined;
  const { url, status, network } = failed;
  if (network === "ERR_HTTP_RESPONSE_CODE_FAILURE") return { url, status, shows: "nothing" };
  return NO_CONTENT.has(status) ? { url: cutUrl(page.url()), status, shows: "before" } : undefined;
}

/** The driver takes the end of a load that the next one breaks off for the failure of the next. */
async function stay(tab: Tab, signal: AbortSignal): Promise<void> {
  if (tab.pendingNavigation.url === undefined) return;
  const over = once(tab.pendingNavigation.events, "over", { signal });
  await Promise.all([stopLoading(tab), over]);
}

async function stopLoading(tab: Tab): Promise<void> {
  const stopped = tab.cdp().then((cdp) => cdp.send("Page.stopLoading"));
  // A tab that has closed meanwhile loads nothing any more.
  await stopped.catch(() => undefined);
}

/** The browser shows a page of its own for a failed load, a moment after the failure. Until it is done it breaks off others. */
async function untilErrorPage(tab: Tab, before: number): Promise<void> {
  const { page } = tab;
  const frame = page.mainFrame();
  const options = { timeout: ERROR_PAGE_MS };
  const predicate = (navigated: Frame) => navigated === frame;
  const shown =
    tab.navigationsOf(frame) > before ? undefined : page.waitForEvent("framenavigated", { predicate, ...options });
  // Where none comes, or the tab closes, nothing is left to wait for.
  await Promise.resolve(shown)
    .then(() => page.waitForLoadState("load", options))
    .catch(() => undefined);
}

/** A document that a caller gave is kept until the tab has been sent elsewhere. */
async function forgetLoaded(tab: Tab, url: string): Promise<void> {
  const { loaded } = tab;
  if (!loaded || loaded.url === url) return;
  tab.loaded = undefined;
  await loaded.stop();
}

function arrivalOf(page: Page, response: Response | null): NavigationResult {
  const redirects = response ? redirectsOf(response) : [];
  return {
    url: cutUrl(page.url()),
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
