/** Tabs that a page has asked for and whose servers have not answered: the driver tells of a page once something has come. */
import type { CDPSession, Page } from "playwright";
import { within } from "../../abort.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
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
  /** How many were closed here of which the driver has yet to tell. */
  givenUp: number;
}

const ASKED: StateKey<Tab, Asked> = { make: () => ({ urls: [], isCertain: true, givenUp: 0 }) };

export function noteAskedTabs(tab: Tab): void {
  tab.events.on("tabRequested", ({ url }) => {
    const asked = tab.past.get(ASKED);
    asked.givenUp = 0;
    asked.urls.push(cutUrl(url));
    if (asked.urls.length > MAX_KEPT) asked.urls.shift();
  });
  tab.events.on("opened", ({ url }) => {
    const asked = tab.past.get(ASKED);
    const index = asked.urls.indexOf(url);
    if (index < 0 && asked.urls.length > 1) asked.isCertain = false;
    asked.urls.splice(Math.max(0, index), 1);
  });
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
  // Of what was asked for before nothing will come.
  asked.urls.splice(0, Math.max(0, asked.urls.length - targets.length));
  if (asked.urls.length === 0) asked.isCertain = true;
  return { urls: asked.isCertain ? [...asked.urls] : targets.map(() => UNKNOWN), targets };
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
