/** What a tab's page is called, as the browser knows it: a page that hangs, or is full, is not asked. */
import { setTimeout as pause } from "node:timers/promises";
import type { Tab } from "../tabs/tab.ts";

/** A browser that does not answer keeps nobody waiting for a title. */
const MAX_ASKING_MS = 300;

/** Chromium keeps 4,096 characters. Undefined for a page without one, and where none is to be had. */
export async function titleOf(tab: Tab): Promise<string | undefined> {
  if (!tab.isOpen || tab.hasCrashed) return undefined;
  const late = new AbortController();
  try {
    return await Promise.race([ask(tab), pause(MAX_ASKING_MS, undefined, { signal: late.signal })]);
  } finally {
    late.abort();
  }
}

async function ask(tab: Tab): Promise<string | undefined> {
  try {
    const { targetInfo } = await (await tab.cdp()).send("Target.getTargetInfo");
    const title = targetInfo.title.trim();
    // The browser calls a page without a title by its address, with or without the scheme.
    return title === "" || tab.url.includes(title) ? undefined : title;
  } catch {
    return undefined;
  }
}
