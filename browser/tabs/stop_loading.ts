/** Breaking off what a tab waits for: its own load, and tabs that its page has asked for and whose servers are silent. */
import { once } from "node:events";
import type { Request } from "playwright";
import { within } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import { navigatedFrame } from "../driver/navigated_frame.ts";
import { toldRequest } from "../driver/told_request.ts";
import { untilAnswered } from "../driver/world.ts";
import { closeComingTabs } from "./coming_tabs.ts";
import type { Tab } from "./tab.ts";

/** The browser tells at once that a load has been broken off. */
const TOLD_MS = 1_000;
/** So does a page that does not hang of its requests. */
const REQUESTS_MS = 300;
/** A load that is over has been told: nothing is asked. */
const LOOK_MS = 1;
/** Requests that are looked through for one that is under way. */
const LOOKED_THROUGH = 500;
/** Requests that are told one by one. */
const MAX_TOLD = 10;
/** In the place of an address that is not the caller's to know. */
const ELSEWHERE = "an address outside your domains";

export interface StoppedRequest {
  method: string;
  url: string;
}

export interface StoppedLoads {
  /** Where the tab stays. */
  url: string;
  /** What was given up: the next page, or this one when parts of it were missing. What was sent may have been carried out. */
  stopped?: StoppedRequest;
  /** Others that were broken off with it, of the page's scripts too. */
  requests?: StoppedRequest[];
  moreRequests?: number;
  /** Addresses of tabs that were closed before anything had come of them. */
  closed?: string[];
}

/** May whoever asks be told of an address? */
type MayKnow = (url: string) => boolean;

export async function stopLoading(tab: Tab, mayKnow: MayKnow): Promise<StoppedLoads> {
  const { pendingNavigation } = tab;
  const { url: next, method } = pendingNavigation;
  const shown = next === undefined && (await isPartial(tab)) ? tab.page.url() : undefined;
  const since = performance.now();
  const { broken, more } = await stop(tab, next, mayKnow);
  if (shown !== undefined) pendingNavigation.noteStopped(shown);
  const closed = await closeComingTabs(tab);
  // What came at the last moment has not been stopped.
  const isBroken = (pendingNavigation.failed?.at ?? 0) > since;
  const url = next === undefined ? shown : isBroken ? next : undefined;
  return {
    url: tab.url,
    ...(url !== undefined && {
      stopped: { method: next === undefined ? "GET" : method, url: mayKnow(url) ? cutUrl(url) : ELSEWHERE },
    }),
    ...(broken.length > 0 && { requests: broken }),
    ...(more > 0 && { moreRequests: more }),
    ...(closed.length > 0 && { closed: closed.map((each) => (mayKnow(each) ? each : ELSEWHERE)) }),
  };
}

/** Resolves to what was broken off beside the page that was to come next. */
async function stop(
  tab: Tab,
  next: string | undefined,
  mayKnow: MayKnow,
): Promise<{ broken: StoppedRequest[]; more: number }> {
  const { page, pendingNavigation } = tab;
  const broken: StoppedRequest[] = [];
  let more = 0;
  const isAsking = hasOpenRequests(tab);
  const firstFailed = Promise.withResolvers<void>();
  const onFailed = (request: Request) => {
    firstFailed.resolve();
    if (navigatedFrame(request) === page.mainFrame()) return;
    if (broken.length < MAX_TOLD && mayKnow(request.url())) broken.push(toldRequest(request));
    else more++;
  };
  page.on("requestfailed", onFailed);
  const listening = new AbortController();
  try {
    const over = next === undefined ? undefined : once(pendingNavigation.events, "over", listening);
    over?.catch(() => undefined);
    // Refused for a page that hangs: it keeps the browser from leaving it, and from staying.
    const told = (await tab.cdp()).send("Page.stopLoading").then(
      () => true,
      () => false,
    );
    const isOver = over ? told.then(async (isTold) => isTold && (await over) !== undefined) : told;
    if (!(await within(TOLD_MS, isOver, false)))
      throw goesOn(tab, next === undefined || mayKnow(next) ? cutUrl(next ?? tab.url) : ELSEWHERE);
    // Its process hears of the stop and of questions by different ways: what was under way ends first.
    if (isAsking) await within(REQUESTS_MS, firstFailed.promise, undefined);
    // The page has told of its requests before it answers.
    await within(REQUESTS_MS, untilAnswered(page.mainFrame()), undefined);
    return { broken, more };
  } finally {
    listening.abort();
    page.off("requestfailed", onFailed);
  }
}

/** Sockets stay open. */
function hasOpenRequests({ capture }: Tab): boolean {
  const entries = capture.network.last(LOOKED_THROUGH).map(({ value }) => value);
  return entries.some(
    ({ durationMs, failure, frames }) => durationMs === undefined && failure === undefined && !frames,
  );
}

function goesOn({ id }: Tab, url: string): BrowseError {
  return new BrowseError("navigation_failed", `Cannot stop loading ${url}: the page of ${id} does not answer`, {
    hint: `Give the tab up with \`browse closetab ${id}\``,
  });
}

/** Are parts of the page that is shown still expected? The driver knows, and no script has a say in it. */
async function isPartial({ page, pendingNavigation }: Tab): Promise<boolean> {
  if (pendingNavigation.isArriving) return true;
  if (pendingNavigation.cut) return false;
  return await page.waitForLoadState("load", { timeout: LOOK_MS }).then(
    () => false,
    () => true,
  );
}
