/**
 * Tabs that a page has asked for and that are not there yet: the driver tells of a page once it has a document. Until then
 * nobody sees it, though scripts of whoever asked for it may run there, so that none is left behind.
 */
import type { BrowserContext, CDPSession, Request, Response } from "playwright";
import { cutUrl } from "../../security/secrets/redact.ts";
import { isForOtherProgram } from "../../security/urls/other_program.ts";
import { emptyAnswer } from "../driver/navigated_frame.ts";
import { toldRequest } from "../driver/told_request.ts";
import { firstUrl, followUnseenFiles, nameOpener, targetInside, unseenPageOf } from "../driver/unseen_page.ts";
import type { FailedLoad } from "../navigation/pending_navigation.ts";
import type { StateKey } from "../state_of.ts";
import type { Tab } from "./tab.ts";

/** A page opens fewer before it is kept from opening more. */
const MAX_COMING = 20;
/** From a load's failure to the page that shows it. */
const ERROR_PAGE_MS = 1_000;

/** Of others, such as about:blank, nothing is sent by which the tab could be known; they are there at once. */
const SENT = /^(?:https?|file):/i;

interface Coming {
  url: string;
  request: Request;
  failed?: FailedLoad;
}

interface Asked {
  /** Addresses that tabs were asked for with of which nothing has been sent yet. */
  urls: string[];
  /** On their way, by the browser's names for their pages. */
  coming: Map<string, Coming>;
  /** How many were closed here of which the driver has yet to tell. */
  givenUp: number;
}

const ASKED: StateKey<Tab, Asked> = { make: () => ({ urls: [], coming: new Map(), givenUp: 0 }) };

interface ComingTabsPorts {
  tabs: () => readonly Tab[];
  /** The page of the tab asks for more than anybody can want. */
  onTooMany: (tab: Tab) => void;
}

export class ComingTabs {
  readonly #ports: ComingTabsPorts;

  constructor(ports: ComingTabsPorts) {
    this.#ports = ports;
  }

  follow(context: BrowserContext): void {
    context.on("request", (request) => this.#sent(request));
    context.on("response", (response) => this.#answered(response));
    context.on("requestfailed", (request) => this.#failed(request));
    followUnseenFiles(context, (target) => this.#askerOf(target)?.page);
  }

  followTab(tab: Tab): void {
    tab.events.on("tabRequested", ({ url }) => {
      if (isForOtherProgram(url) || !SENT.test(url)) return;
      const { urls } = tab.past.get(ASKED);
      urls.push(cutUrl(url));
      if (urls.length > MAX_COMING) urls.shift();
    });
  }

  /** It has come, or closed before it did. The tab that asked for it, if that was seen, what for, and how that failed. */
  take(target: string): { from?: Tab; request?: Request; failed?: FailedLoad } {
    for (const from of this.#ports.tabs()) {
      const { coming } = from.past.get(ASKED);
      const known = coming.get(target);
      if (!known) continue;
      coming.delete(target);
      return { from, request: known.request, ...(known.failed && { failed: known.failed }) };
    }
    return {};
  }

  #sent(request: Request): void {
    const unseen = unseenPageOf(request);
    if (!unseen || isForOtherProgram(request.url())) return;
    const url = cutUrl(firstUrl(request));
    const from = this.#openerOf(unseen.opener, url);
    if (!from) return;
    if (unseen.opener === undefined) nameOpener(request, from.page);
    const { urls, coming } = from.past.get(ASKED);
    const index = urls.indexOf(url);
    if (index >= 0) urls.splice(index, 1);
    coming.set(unseen.target, { url, request });
    if (coming.size > MAX_COMING) this.#ports.onTooMany(from);
  }

  /** By what was sent for it; where that is still to be told of, the only one that waits for a tab. */
  #askerOf(target: string): Tab | undefined {
    const tabs = this.#ports.tabs();
    const known = tabs.find((tab) => tab.past.get(ASKED).coming.has(target));
    const waiting = tabs.filter((tab) => tab.past.get(ASKED).urls.length > 0);
    return known ?? (waiting.length === 1 ? waiting[0] : undefined);
  }

  #openerOf(opener: string | undefined, url: string): Tab | undefined {
    const tabs = this.#ports.tabs();
    if (opener !== undefined) return tabs.find(({ page }) => targetInside(page) === opener);
    return tabs.find((tab) => tab.past.get(ASKED).urls.includes(url));
  }

  /** With nothing to show the tab never comes; browsers with a window show an empty one then, which nobody wants. */
  #answered(response: Response): void {
    const empty = emptyAnswer(response);
    const found = empty && this.#find(response.request());
    if (!found) return;
    const { from, target } = found;
    from.past.get(ASKED).coming.delete(target);
    from.events.emit("tabAnsweredEmpty", empty);
    closeTargets(from, [target]).catch(() => undefined);
  }

  /** One that fails shows a page of the browser's own, which is told of; else it was broken off. */
  #failed(request: Request): void {
    const found = this.#find(request);
    const network = /ERR_[A-Z0-9_]+/.exec(request.failure()?.errorText ?? "")?.[0] ?? "ERR_FAILED";
    if (!found || network === "ERR_ABORTED") return;
    const { from, target, coming } = found;
    coming.failed = { url: request.url(), network, at: performance.now() };
    setTimeout(() => {
      if (!from.past.get(ASKED).coming.delete(target)) return;
      from.events.emit("tabBrokenOff", toldRequest(request));
      closeTargets(from, [target]).catch(() => undefined);
    }, ERROR_PAGE_MS).unref();
  }

  #find(request: Request): { from: Tab; target: string; coming: Coming } | undefined {
    const unseen = unseenPageOf(request);
    if (!unseen) return undefined;
    for (const from of this.#ports.tabs()) {
      const coming = from.past.get(ASKED).coming.get(unseen.target);
      if (coming) return { from, target: unseen.target, coming };
    }
    return undefined;
  }
}

/** The addresses that they were asked for with. */
export function comingTabs(tab: Tab): string[] {
  const { urls, coming } = tab.past.get(ASKED);
  return [...[...coming.values()].map(({ url }) => url), ...urls];
}

/** One has gone before it was there. False when it was closed here; of others the first is as likely as any. */
export function noteGone(tab: Tab): boolean {
  const asked = tab.past.get(ASKED);
  if (asked.givenUp > 0) {
    asked.givenUp--;
    return false;
  }
  asked.urls.shift();
  return true;
}

/** With what they have opened themselves. Resolves to the addresses that they were asked for with. */
export async function closeComingTabs(tab: Tab): Promise<string[]> {
  const asked = tab.past.get(ASKED);
  if (asked.urls.length === 0 && asked.coming.size === 0) return [];
  const urls = comingTabs(tab);
  const targets = [...asked.coming.keys()];
  asked.urls.length = 0;
  asked.coming.clear();
  await closeTargets(tab, targets);
  return urls;
}

/** And whatever those have asked for that nobody sees either. */
async function closeTargets(tab: Tab, targets: readonly string[]): Promise<void> {
  tab.past.get(ASKED).givenUp += targets.length;
  const cdp = await tab.page.context().browser()?.newBrowserCDPSession();
  if (!cdp) return;
  try {
    const all = [...targets, ...(await unseenBelow(cdp, tab, targets))];
    // One that has gone meanwhile is closed.
    await Promise.all(all.map((targetId) => cdp.send("Target.closeTarget", { targetId }).catch(() => undefined)));
  } finally {
    await cdp.detach().catch(() => undefined);
  }
}

async function unseenBelow(cdp: CDPSession, tab: Tab, above: readonly string[]): Promise<string[]> {
  const { targetInfos } = await cdp.send("Target.getTargets");
  const seen = new Set(tab.page.context().pages().map(targetInside));
  const found = new Set(above);
  // A child may be listed before the one that has asked for it.
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const { type, targetId, openerId } of targetInfos)
      if (type === "page" && openerId !== undefined && found.has(openerId) && !seen.has(targetId)) found.add(targetId);
  }
  return [...found].filter((target) => !above.includes(target));
}
