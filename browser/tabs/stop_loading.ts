/** Breaking off what a tab waits for: its own load, and tabs that its page has asked for and whose servers are silent. */
import { once } from "node:events";
import { within } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { cutUrl } from "../../security/secrets/redact.ts";
import type { Tab } from "./tab.ts";
import { closeUnansweredTabs } from "./unanswered_tabs.ts";

/** The browser tells at once that a load has been broken off. */
const TOLD_MS = 1_000;
/** A load that is over has been told: nothing is asked. */
const LOOK_MS = 1;

export interface StoppedLoads {
  /** Where the tab stays. */
  url: string;
  /** The address that was given up: of the next page, or of this one when parts of it were missing. */
  stopped?: string;
  /** Tabs that were closed before anything had come of them. */
  closed?: string[];
}

export async function stopLoading(tab: Tab): Promise<StoppedLoads> {
  const cdp = await tab.cdp();
  const { pendingNavigation } = tab;
  const next = pendingNavigation.url;
  const shown = next === undefined && (await isPartial(tab)) ? tab.page.url() : undefined;
  const over = next === undefined ? undefined : once(pendingNavigation.events, "over");
  const since = performance.now();
  await cdp.send("Page.stopLoading");
  if (over && !(await within(TOLD_MS, over, undefined))) throw goesOn(tab, cutUrl(next ?? ""));
  if (shown !== undefined) pendingNavigation.noteStopped(shown);
  const closed = await closeUnansweredTabs(tab);
  // What came at the last moment has not been stopped.
  const isBroken = (pendingNavigation.failed?.at ?? 0) > since;
  const stopped = next === undefined ? shown : isBroken ? next : undefined;
  return {
    url: tab.url,
    ...(stopped !== undefined && { stopped: cutUrl(stopped) }),
    ...(closed.length > 0 && { closed }),
  };
}

function goesOn({ id }: Tab, url: string): BrowseError {
  return new BrowseError("timeout", `The browser was told to stop loading ${url}, and has not said that it did`, {
    hint: `Look again with \`browse tabs\`, or give the tab up with \`browse closetab ${id}\``,
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
