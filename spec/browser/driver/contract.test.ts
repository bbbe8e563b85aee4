/**
 * What we use of the driver beside its public API. After an upgrade each test that fails names what has moved, and what
 * browse does without it until it is found again.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Download, type Page } from "playwright";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { onConsole, onServiceWorkerConsole } from "../../../browser/driver/console.ts";
import { translateDriverError } from "../../../browser/driver/errors.ts";
import { debuggerSessions, documentOf, fileOf, insideOf, processOf } from "../../../browser/driver/inside.ts";
import { dropLongMessages } from "../../../browser/driver/long_messages.ts";
import { launchWithProfile } from "../../../browser/driver/profile.ts";
import { weighTraffic } from "../../../browser/driver/traffic.ts";
import { followUnseenFiles } from "../../../browser/driver/unseen_page.ts";
import { callInWorld, makeInPage, runInPage, worldName } from "../../../browser/driver/world.ts";
import { chromiumExecutable } from "../../../browser/install/executable.ts";
import { DRIVER_FEATURES, DRIVER_FEATURES_OFF } from "../../../browser/process/chromium_flags.ts";
import { Site } from "../../harness/site.ts";

const profile = mkdtempSync(join(tmpdir(), "browse-contract-"));
const signal = new AbortController().signal;
let site: Site;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<p>Here</p><iframe srcdoc='<p>Inside</p>'></iframe>",
    "/file": (_request, response) => {
      response.writeHead(200, { "content-disposition": "attachment; filename=a.txt" }).end("text");
    },
  });
  const { path: executablePath } = await chromiumExecutable(process.env.BROWSE_CHROMIUM);
  browser = await launchWithProfile(chromium, profile, { executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  context = await browser.newContext();
  page = await context.newPage();
});

afterAll(async () => {
  await browser.close();
  await site[Symbol.asyncDispose]();
  rmSync(profile, { recursive: true, force: true });
});

beforeEach(async () => {
  await page.goto(site.url);
});

test("the profile is where we say: without it, cookies stay in the system's temporary folder after a kill", () => {
  expect(readdirSync(profile)).toContain("Default");
});

test("features are switched as the driver does it: without it, what it needs on or off is as Chromium has it", () => {
  const flags = processOf(browser)?.spawnargs ?? [];
  expect(flags).toContain(`--enable-features=${DRIVER_FEATURES.join(",")}`);
  expect(flags).toContain(`--disable-features=${DRIVER_FEATURES_OFF.join(",")}`);
});

test("the browser's process is known: without it, nobody says why Chromium ended, and its group is not killed", () => {
  expect(processOf(browser)?.pid).toBeGreaterThan(0);
});

test("open debugger sessions are counted: without it, `memory` does not tell of them", () => {
  expect(debuggerSessions(browser)).toBeGreaterThan(0);
});

test("a document has a name of its own: without it, a ref waits for a page that has gone", async () => {
  const before = documentOf(page.mainFrame());
  await page.reload();
  expect(before).toMatch(/./);
  expect(documentOf(page.mainFrame())).not.toBe(before);
});

test("a download's file is known while it comes: without it, its size is seen at its end", async () => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.goto(`${site.url}/file`).catch(() => undefined),
  ]);
  await download.path();
  expect(existsSync(fileOf(download) ?? "")).toBe(true);
});

test("a tab that turns into a file has a name: without it, what a link downloads with Control held is lost", async () => {
  followUnseenFiles(context, () => page);
  await page.setContent("<a href='/file'>File</a>");
  const { promise: coming, resolve } = Promise.withResolvers<Download>();
  page.once("download", resolve);
  // One that the driver has told of by then has it itself.
  context.once("page", (opened) => opened.once("download", resolve));
  await page.click("a", { modifiers: ["Control"] });
  expect((await coming).suggestedFilename()).toBe("a.txt");
});

test("our script is in every frame's world, once: without it, each question takes twice as long", async () => {
  const call = {
    source: "({ times: 0 })",
    declaration: "function (word) { return word + ++this.times; }",
    values: ["asked "],
  };
  for (const frame of page.frames()) {
    expect(await callInWorld(frame, signal, call)).toBe("asked 1");
    expect(await callInWorld(frame, signal, call)).toBe("asked 2");
  }
});

test("that world has a name: without it, a press that leaves its page is not known to have hit", async () => {
  expect(await worldName(page)).toMatch(/utility/);
});

test("scripts run among the page's own: without it, timers and listeners of pages are not seen", async () => {
  expect(await runInPage(page.mainFrame(), "window.here = getEventListeners ? 5 : 0")).toBe(true);
  expect(await page.evaluate("window.here")).toBe(5);
  const made = await makeInPage(page.mainFrame(), "({ count: 7 })");
  expect(await made?.call("function () { return this.count; }")).toBe(7);
});

test("console lines are taken first: without it, a page in a storm slows every tab", async () => {
  const said = Promise.withResolvers<string>();
  onConsole(page, (line) => said.resolve(line.text()));
  await page.evaluate("console.log('hello', { a: 1 })");
  expect(await said.promise).toBe("hello {a: 1}");
  expect(insideOf<{ delegate?: { _mainFrameSession?: { _onConsoleAPI?: unknown } } }>(page)).toMatchObject({
    delegate: { _mainFrameSession: { _onConsoleAPI: expect.any(Function) } },
  });
});

test("lines of service workers are told of the context: without it, they are not in `console`", () => {
  onServiceWorkerConsole(context, () => {});
  expect(insideOf<{ on?: unknown }>(context)?.on).toEqual(expect.any(Function));
});

test("a page's traffic is weighed: without it, storms are not slowed down", async () => {
  const heard = Promise.withResolvers<number>();
  expect(weighTraffic(page, heard.resolve)).toBe(true);
  await page.evaluate("console.log('x'.repeat(1_000))");
  expect(await heard.promise).toBeGreaterThan(0);
});

test("messages are bounded on their way in: without it, one console line cuts the daemon off from the browser", async () => {
  const told: string[] = [];
  const hostile = await context.newPage();
  const onPage = (isThis: (page: Page) => boolean, why: string) => {
    told.push(`${[page, hostile].map(isThis)}: ${why}`);
    return false;
  };
  const onDropped = (line: string) => told.push(line);
  expect(dropLongMessages(browser, { maxBytes: 1_000_000, onDropped, onPage })).toBe(true);
  const cdp = await context.newCDPSession(page);
  const asked = cdp.send("Runtime.evaluate", { expression: "'x'.repeat(2_000_000)" });
  await expect(asked).rejects.toThrow("too long: 2 MB");
  // Not that the page was left, as the driver says of most errors.
  const error = await page.evaluate("'x'.repeat(2_000_000)").catch(translateDriverError);
  expect(error).toMatchObject({ kind: "too_large", message: "The page's answer is over 256 MB long" });
  expect(await page.evaluate("'x'.repeat(900_000).length")).toBe(900_000);
  // Of a page that is followed from now on: a page may send as much as it likes.
  const sending = await context.newPage();
  const sent = sending.waitForEvent("request");
  await sending.evaluate(
    "fetch('http://127.0.0.1:1/', { method: 'POST', body: 'x'.repeat(1_100_000) }).catch(() => {})",
  );
  expect((await sent).postData()).toBeNull();
  const crashed = hostile.waitForEvent("crash");
  await hostile.evaluate("setTimeout(() => console.log('x'.repeat(2_000_000)))");
  await crashed;
  expect(await page.evaluate("'still here'")).toBe("still here");
  expect(told).toEqual([
    "An answer of the browser was dropped, as it was 2 MB long",
    "An answer of the browser was dropped, as it was 2 MB long",
    "A message of the browser (Runtime.consoleAPICalled) was dropped, as it was 2 MB long",
    "false,true: it said 2 MB at once",
  ]);
});
