/** A context as every session has one, and what its pages may do without asking. */
import type { Browser, BrowserContext, BrowserContextOptions, CDPSession } from "playwright";
import { CONTEXT_OPTIONS } from "./session_options.ts";

export async function makeContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ ...CONTEXT_OPTIONS, ...options });
  await allowCopying(browser);
  return context;
}

/** What a page that was pressed does in the whole browser, and nobody is there to be asked in the headless shell. */
const COPYING = { permission: { name: "clipboard-write" }, setting: "granted" } as const;

const sessions = new WeakMap<Browser, Promise<CDPSession>>();

/** Pages of all contexts may put text on the clipboard. To be said anew when the permissions of one were changed. */
export async function allowCopying(browser: Browser): Promise<void> {
  const session = sessions.get(browser) ?? browser.newBrowserCDPSession();
  sessions.set(browser, session);
  const cdp = await session;
  const { browserContextIds } = await cdp.send("Target.getBrowserContexts");
  const allowed = browserContextIds.map((browserContextId) =>
    // One that has closed meanwhile has no pages.
    cdp.send("Browser.setPermission", { ...COPYING, browserContextId }).catch(() => undefined),
  );
  await Promise.all(allowed);
}
