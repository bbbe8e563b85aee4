/** What a tab's page is called, as the browser knows it: a page that hangs, or is full, is not asked. */
import { setTimeout as pause } from "node:timers/promises";
import { headOf } from "../../security/content/cut_text.ts";
import type { Tab } from "../tabs/tab.ts";

/** A browser that does not answer keeps nobody waiting for a title. */
const MAX_ASKING_MS = 300;
/** Characters; a title, which has fewer, is compared with them. */
const MAX_ADDRESS = 8_192;

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
    return title === "" || isAddress(title, headOf(targetInfo.url, MAX_ADDRESS)) ? undefined : title;
  } catch {
    return undefined;
  }
}

/** The browser calls a page without a title by its address, without the scheme and what else a person need not see. */
function isAddress(title: string, url: string): boolean {
  const short = (text: string) => text.replace(/^[a-z-]+:\/\//i, "").replace(/\/$/, "");
  const forms = [url, decodedOr(url)];
  return forms.some((form) => title === form || short(title) === short(form));
}

function decodedOr(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
