/** What a tab's page is called, as the browser knows it: a page that hangs, or is full, is not asked. */
import { cutText } from "../security/cut_text.ts";
import type { Tab } from "./tab.ts";

/** As much as a list of tabs shows. Characters. */
const MAX_TITLE = 100;

/** Undefined for a page without one, and for a tab that is gone. */
export async function titleOf(tab: Tab): Promise<string | undefined> {
  if (!tab.isOpen || tab.hasCrashed) return undefined;
  try {
    const { targetInfo } = await (await tab.cdp()).send("Target.getTargetInfo");
    const title = targetInfo.title.trim();
    // The browser calls a page without a title by its address, with or without the scheme.
    return title === "" || tab.url.includes(title) ? undefined : cutText(title, MAX_TITLE);
  } catch {
    return undefined;
  }
}
