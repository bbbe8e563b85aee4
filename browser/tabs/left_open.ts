/** What a tab has begun and that has not come to its end, for whoever ends the tab: nobody can ask it afterwards. */
import type { Request } from "playwright";
import { cutUrl } from "../../security/secrets/redact.ts";
import { toldRequest } from "../driver/told_request.ts";
import type { DialogRecord, WaitingRequest } from "../effect_report.ts";
import type { Tab } from "./tab.ts";

/** Beacons and the like go on without their page, and nobody waits for them. */
const ANSWERED_TO = new Set(["document", "xhr", "fetch"]);

interface LeftOpen {
  /** Requests that send something and had no answer: they may have been carried out. */
  brokenOff: WaitingRequest[];
  /** Files that still come. */
  downloads: { name: string; url: string }[];
  /** Addresses of files that were asked for and of which nothing had come: nothing will. */
  downloadsLost: string[];
  /** That waited for an answer when it began, and that opened meanwhile. */
  dialogs: DialogRecord[];
}

/** Call it before the tab is closed, and what it gives when it is. `mayKnow`: may an address be told? */
export function leftOpen(tab: Tab, mayKnow: (url: string) => boolean): () => LeftOpen {
  const sent = tab.capture.underWay.all.map(({ request }) => request).filter(sends);
  const dialogs = new Set(tab.dialogs.open ? [tab.dialogs.open] : []);
  const onDialog = (record: DialogRecord) => dialogs.add(record);
  tab.events.on("dialog", onDialog);
  // Chromium tells nothing of what a page that is closed was waiting for.
  return () => {
    tab.events.off("dialog", onDialog);
    return {
      brokenOff: sent.filter((request) => isUnanswered(request) && mayKnow(request.url())).map(toldRequest),
      downloads: tab.downloads.running.filter(({ url }) => mayKnow(url)).map(({ name, url }) => ({ name, url })),
      downloadsLost: tab.downloads.asked.filter(mayKnow).map(cutUrl),
      dialogs: [...dialogs],
    };
  };
}

function sends(request: Request): boolean {
  return request.method() !== "GET" && ANSWERED_TO.has(request.resourceType());
}

function isUnanswered(request: Request): boolean {
  const failure = request.failure()?.errorText;
  return !request.existingResponse() && (failure === undefined || failure === "net::ERR_ABORTED");
}
