/** What a tab has begun and that has not come to its end, for whoever ends the tab: nobody can ask it afterwards. */
import type { Request } from "playwright";
import { runningDownloads } from "../../browser/download/running_downloads.ts";
import { toldRequest } from "../../browser/driver/told_request.ts";
import type { WaitingRequest } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";

/** Beacons and the like go on without their page, and nobody waits for them. */
const ANSWERED_TO = new Set(["document", "xhr", "fetch"]);

interface LeftOpen {
  /** Requests that send something and had no answer: they may have been carried out. */
  brokenOff: WaitingRequest[];
  /** Files that still come. */
  downloads: { name: string; url: string }[];
}

/** Call it before the tab is closed, and what it gives when it is. `mayKnow`: may an address be told? */
export function leftOpen(tab: Tab, mayKnow: (url: string) => boolean): () => LeftOpen {
  const sent = tab.capture.underWay.all.map(({ request }) => request).filter(sends);
  // Chromium tells nothing of what a page that is closed was waiting for.
  return () => ({
    brokenOff: sent.filter((request) => isUnanswered(request) && mayKnow(request.url())).map(toldRequest),
    downloads: runningDownloads(tab)
      .filter(({ url }) => mayKnow(url))
      .map(({ name, url }) => ({ name, url })),
  });
}

function sends(request: Request): boolean {
  return request.method() !== "GET" && ANSWERED_TO.has(request.resourceType());
}

function isUnanswered(request: Request): boolean {
  const failure = request.failure()?.errorText;
  return !request.existingResponse() && (failure === undefined || failure === "net::ERR_ABORTED");
}
