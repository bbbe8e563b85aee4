/** Tabs that a page has asked for and whose servers have not answered: the driver tells of a page once something has come. */
import type { CDPSession, Page, Response } from "playwright";
import { within } from "../../abort.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import { emptyAnswer, firstUrl, isOfUnseenPage } from "../driver/navigated_frame.ts";
import { targetOfPage } from "../load_guard/target_id.ts";
import type { StateKey } from "../state_of.ts";
import type { Tab } from "./tab.ts";

/** A page opens fewer before it is kept from opening more. */
const MAX_KEPT = 20;
/** A browser that does not answer keeps nobody waiting for a list. */
const MAX_ASKING_MS = 300;

/** In the place of an address. */
const UNKNOWN = "an address that is not known";

interface Asked {
  /** Addresses that the tab's page asked tabs for, but for those that have come; of some no tab was made. */
  urls: string[];
  /** Is it known which of them have come? Not where one was led to another address first. */
  isCertain: boolean;
  /** How many were answered with nothing to show, and stay where nobody sees them. */
  empty: number;
  /** How many were closed here of which the driver has yet to tell. */
  givenUp: number;
}

const ASKED: StateKey<Tab, Asked> = { make: () => ({ urls: [], isCertain: true, empty: 0, givenUp: 0 }) };

export function noteAskedTabs(tab: Tab): void {
  tab.events.on("tabRequested", ({ url }) => {
    const asked = tab.past.get(ASKED);
    asked.givenUp = 0;
    asked.urls.push(cutUrl(url));
    if (asked.urls.length > MAX_KEPT) asked.urls.shift();
  });
  tab.events.on("opened", ({ url }) => noteCome(tab.past.get(ASKED), url));
  tab.events.on("openedForFile", () => noteCome(tab.past.get(ASKED)));
}

function noteCome(asked: Asked, url = ""): void {
  const index = asked.urls.indexOf(url);
  // A script can send one elsewhere that has been empty so far.
  if (index < 0 && asked.empty > 0) asked.empty--;
  else if (index < 0 && asked.urls.length > 1) asked.isCertain = false;
  asked.urls.splice(Math.max(0, index), 1);
}

/** An answer to what one of these tabs asked for: with nothing to show, the tab that was to show it never comes. */
export function noteUnseenAnswer(tabs: readonly Tab[], response: Response): void {
  const empty = emptyAnswer(response);
  if (!empty || !isOfUnseenPage(response.request())) return;
  const url = cutUrl(firstUrl(response.request()));
  const tab = tabs.find((each) => each.past.get(ASKED).urls.includes(url));
  if (!tab) return;
  const asked = tab.past.get(ASKED);
  asked.urls.splice(asked.urls.indexOf(url), 1);
  asked.empty++;
  tab.events.emit("tabAnsweredEmpty", empty);
}

/** Is one that the driver tells of as closed one of those that were closed here? True as often as there were. */
export function takeGivenUp(tab: Tab): boolean {
  const asked = tab.past.get(ASKED);
  return asked.givenUp > 0 && asked.givenUp-- > 0;
}

/** The addresses that they were asked for with; none where the browser does not tell. */
export async function unansweredTabs(tab: Tab): Promise<string[]> {
  if (tab.past.get(ASKED).urls.length === 0) return [];
  const looking = inBrowser(tab, async (cdp) => (await look(cdp, tab)).urls);
  return await within(
    MAX_ASKING_MS,
    looking.catch(() => []),
    [],
  );
}

/** Resolves to the addresses of those that were closed. */
export async function closeUnansweredTabs(tab: Tab): Promise<string[]> {
  const asked = tab.past.get(ASKED);
  if (asked.urls.length === 0) return [];
  return await inBrowser(tab, async (cdp) => {
    const { urls, targets } = await look(cdp, tab);
    asked.givenUp = targets.length;
    // One that has gone meanwhile is closed.
    const close = async (targetId: string) => await cdp.send("Target.closeTarget", { targetId }).catch(() => undefined);
    await Promise.all(targets.map(close));
    asked.urls.length = 0;
    asked.empty = 0;
    asked.isCertain = true;
    return urls;
  });
}

async function inBrowser<T>(tab: Tab, use: (cdp: CDPSession) => Promise<T[]>): Promise<T[]> {
  const cdp = await tab.page.context().browser()?.newBrowserCDPSession();
  if (!cdp) return [];
  try {
    return await use(cdp);
  } finally {
    await cdp.detach();
  }
}

async function look(cdp: CDPSession, tab: Tab): Promise<{ urls: string[]; targets: string[] }> {
  const targets = await unansweredTargets(cdp, tab.page);
  const asked = tab.past.get(ASKED);
  const coming = Math.max(0, targets.length - asked.empty);
  // Of what was asked for before nothing will come.
  asked.urls.splice(0, Math.max(0, asked.urls.length - coming));
  if (asked.urls.length === 0) asked.isCertain = true;
  return { urls: asked.isCertain ? [...asked.urls] : Array<string>(coming).fill(UNKNOWN), targets };
}

async function unansweredTargets(cdp: CDPSession, page: Page): Promise<string[]> {
  const { targetInfos } = await cdp.send("Target.getTargets");
  // Asked after the others: what comes in between is known.
  const pages = page.context().pages();
  const known = new Set(await Promise.all(pages.map((each) => targetOfPage(each).catch(() => undefined))));
  const own = await targetOfPage(page);
  return targetInfos
    .filter(({ type, openerId, targetId }) => type === "page" && openerId === own && !known.has(targetId))
    .map(({ targetId }) => targetId);
}
