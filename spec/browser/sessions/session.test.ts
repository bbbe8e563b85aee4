/** A session by itself, against a real Chromium. */

import type { Browser, Page } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { LoadGuard } from "../../../browser/load_guard/load_guard.ts";
import { goTo } from "../../../browser/navigation/navigation.ts";
import { Session } from "../../../browser/sessions/session.ts";
import { CONTEXT_OPTIONS } from "../../../browser/sessions/session_options.ts";
import { pageProbe } from "../../../refs/page_probe.ts";
import { rootToken } from "../../../security/tokens/token.ts";
import { launchPlainChromium } from "../../harness/plain_chromium.ts";
import { Site } from "../../harness/site.ts";

const { signal } = new AbortController();
const holder = rootToken();

let browser: Browser;
let site: Site;
let session: Session;
/** Headers of the last request for the page. */
let seen: Record<string, unknown> = {};

beforeAll(async () => {
  browser = await launchPlainChromium();
  site = await Site.serve({
    "/": (request, response) => {
      seen = request.headers;
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Home</title>");
    },
  });
});

afterAll(async () => {
  await browser.close();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  let tabs = 0;
  session = new Session(await browser.newContext(CONTEXT_OPTIONS), {
    probe: pageProbe,
    name: "test",
    artifactsDir: "/nowhere",
    dialogPolicy: "accept",
    nextTabId: () => `t${++tabs}`,
  });
});

afterEach(() => session.context.close());

test("what a tab cannot pretend to be is taken back in all of them", async () => {
  const tabs = [await session.newTab(holder), await session.newTab(holder)];
  const { emulation } = session;
  await emulation.change(() => ({ userAgent: "Before/1" }), signal);
  const refused = emulation.change(() => ({ userAgent: "After/1", timezone: "Mars/Olympus" }), signal);
  await expect(refused).rejects.toThrow(/timezone/i);
  expect(emulation.settings).toEqual({ userAgent: "Before/1" });
  for (const tab of tabs) {
    await goTo(tab, site.url, { wait: "dom", signal });
    expect([await tab.page.evaluate("navigator.userAgent"), seen["user-agent"]]).toEqual(["Before/1", "Before/1"]);
  }
});

test("tabs are opened beside one another, and the one asked for last is the current one", async () => {
  using _ = { [Symbol.dispose]: await session.lock.share(signal) };
  const tabs = await Promise.all([1, 2, 3].map(async () => await session.newTab(holder)));
  expect(session.current(holder)).toBe(tabs.at(-1));
  session.select(tabs[0]!, holder);
  expect(session.current(holder)).toBe(tabs[0]);
});

test("a tab that is opened for somebody who leaves meanwhile is closed", async () => {
  const visitor = { ...rootToken(), tabs: "own" as const };
  const opening = session.newTab(visitor);
  await session.leave(visitor);
  await expect(opening).rejects.toMatchObject({ kind: "tab_gone" });
  expect(session.tabs).toEqual([]);
  expect(session.current(visitor)).toBeUndefined();
});

test("a throw-away tab is closed when its call has ended, whatever is waited for in it", async () => {
  const call = new AbortController();
  let page: Page | undefined;
  const stuck = session.inThrowAwayTab({ holder, signal: call.signal }, async (tab) => {
    page = tab.page;
    call.abort();
    return await page.evaluate(() => new Promise(() => undefined));
  });
  await expect(stuck).rejects.toThrow(/closed/);
  expect(page?.isClosed()).toBe(true);
  expect(session.tabs).toEqual([]);
});

test("a dialog that stays open in a throw-away tab ends the work in it", async () => {
  const stuck = session.inThrowAwayTab({ holder, signal }, async ({ events }) => {
    const time = new Date().toISOString();
    events.emit("dialog", { id: 1, type: "confirm", message: "Leave?", outcome: "open", time });
    await new Promise(() => undefined);
  });
  await expect(stuck).rejects.toMatchObject({
    kind: "dialog_open",
    message: expect.stringContaining('confirm "Leave?"'),
  });
});

test("a pop-up that cannot be kept to the rules of its tab is closed, and somebody told", async () => {
  const { promise: fault, resolve: onFault } = Promise.withResolvers<unknown>();
  const unable = {
    protect: async () => undefined,
    openerOf: async () => undefined,
    inherit: () => Promise.reject(new Error("No way to hold it")),
  };
  const guarded = new Session(await browser.newContext(CONTEXT_OPTIONS), {
    probe: pageProbe,
    name: "guarded",
    artifactsDir: "/nowhere",
    dialogPolicy: "accept",
    nextTabId: () => "t1",
    guard: unable as unknown as LoadGuard,
    onFault: (_message, cause) => onFault(cause),
  });
  const { page } = await guarded.newTab(holder);
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate("void open('about:blank')")]);
  const closed = popup.isClosed() ? undefined : popup.waitForEvent("close");
  expect(await fault).toMatchObject({ message: "No way to hold it" });
  await closed;
  await guarded.context.close();
});
