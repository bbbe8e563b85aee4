/** A session in another context, against a real Chromium: what it held is all there. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setViewport } from "../../../browser/emulation/viewport.ts";
import { goTo, step } from "../../../browser/navigation/navigation.ts";
import { rebuildSession } from "../../../browser/sessions/rebuild.ts";
import { recordingsOf } from "../../../browser/sessions/recordings.ts";
import { Session } from "../../../browser/sessions/session.ts";
import { CONTEXT_OPTIONS } from "../../../browser/sessions/session_options.ts";
import { loadHtml } from "../../../commands/navigate/_load_html.ts";
import { toBrowseError } from "../../../errors.ts";
import { resolve } from "../../../refs/find/target.ts";
import { takeSnapshot } from "../../../refs/snapshot/snapshot.ts";
import { rootToken } from "../../../security/tokens/token.ts";
import type { Site } from "../../harness/site.ts";
import { failing, OPTIONS, Rebuilding, signal, WAIT } from "./rebuilding.ts";

let rebuilding: Rebuilding;
let site: Site;
let session: Session;
/** What becomes of the rebuild of a session with a page that hangs: it begins before the other tests, and ends after them. */
let hanging: Promise<{ said: string; isLeft: boolean }>;

beforeAll(async () => {
  rebuilding = await Rebuilding.begin();
  ({ site } = rebuilding);
  site.set("/never", () => undefined);
  hanging = rebuildHanging();
  site.set("/frames", `<!doctype html><iframe src="/one"></iframe><iframe name="second" src="/two"></iframe>`);
});

afterAll(async () => await rebuilding[Symbol.asyncDispose]());

beforeEach(async () => {
  await rebuilding.openSession();
  ({ session } = rebuilding);
});

afterEach(async () => await rebuilding.closeSession());

async function rebuildHanging(): Promise<{ said: string; isLeft: boolean }> {
  const context = await rebuilding.browser.newContext(CONTEXT_OPTIONS);
  const own = new Session(context, OPTIONS);
  const tab = await own.newTab(rootToken());
  await goTo(tab, `${site.url}/one`, WAIT);
  await tab.page.evaluate(hang);
  const said = await failing(rebuildSession(own, { signal }));
  const isLeft = own.context === context;
  await context.close();
  return { said, isLeft };
}

/** Once the call has its answer, and without keeping a processor busy. */
function hang(): void {
  setTimeout(() => {
    const request = new XMLHttpRequest();
    request.open("GET", "/never", false);
    request.send();
  });
}

describe("A rebuilt session", () => {
  it("has another context, and the same tabs in the same order with the same one current", async () => {
    const tabs = [await rebuilding.tabAt("/one"), await rebuilding.tabAt("/two"), await rebuilding.tabAt("/three")];
    session.select(tabs[1]!);
    const before = { context: session.context, ids: session.tabs.map(({ id }) => id) };
    expect(await rebuildSession(session, { signal })).toEqual({ missing: [], failed: [] });
    expect(session.context).not.toBe(before.context);
    expect(session.tabs).toEqual(tabs);
    expect(session.tabs.map(({ id }) => id)).toEqual(before.ids);
    expect(session.current()).toBe(tabs[1]);
    expect(await Promise.all(tabs.map(({ page }) => page.title()))).toEqual(["one", "two", "three"]);
    expect(tabs.every(({ isOpen }) => isOpen)).toBe(true);
    expect(rebuilding.closed).toBe(0);
  });

  it("keeps cookies, local and session storage, and IndexedDB", async () => {
    const tab = await rebuilding.tabAt("/one");
    await tab.page.evaluate(async () => {
      await cookieStore.set("plain", "1");
      localStorage.setItem("theme", "dark");
      sessionStorage.setItem("step", "3");
      await new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open("shop", 2);
        opening.onupgradeneeded = () => opening.result.createObjectStore("cart", { keyPath: "id" });
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const change = opening.result.transaction("cart", "readwrite");
          change.objectStore("cart").put({ id: 7, name: "Lamp" });
          change.oncomplete = () => resolve();
        };
      });
    });
    await session.context.addCookies([{ name: "hidden", value: "2", url: site.url, httpOnly: true }]);
    await rebuildSession(session, { signal });
    const cookies = await session.context.cookies();
    expect(cookies.map(({ name, value, httpOnly }) => [name, value, httpOnly]).sort()).toEqual([
      ["hidden", "2", true],
      ["plain", "1", false],
    ]);
    expect(
      await tab.page.evaluate(async () => ({
        theme: localStorage.getItem("theme"),
        step: sessionStorage.getItem("step"),
        lamp: await new Promise((resolve) => {
          indexedDB.open("shop").onsuccess = ({ target }) => {
            const { result } = target as IDBOpenDBRequest;
            const reading = result.transaction("cart").objectStore("cart").get(7);
            reading.onsuccess = () => resolve(reading.result);
          };
        }),
      })),
    ).toEqual({ theme: "dark", step: "3", lamp: { id: 7, name: "Lamp" } });
  });

  it("keeps session storage out of the way of what the page does with it later", async () => {
    const tab = await rebuilding.tabAt("/one");
    await tab.page.evaluate(() => sessionStorage.setItem("step", "3"));
    await rebuildSession(session, { signal });
    await tab.page.evaluate(() => sessionStorage.clear());
    await tab.page.reload();
    expect(await tab.page.evaluate(() => sessionStorage.length)).toBe(0);
  });

  it("keeps the history and the place in it, and loads only the page that is shown", async () => {
    const tab = await rebuilding.tabAt("/one");
    await goTo(tab, `${site.url}/two`, WAIT);
    await goTo(tab, `${site.url}/three`, WAIT);
    await step(tab, "back", { signal });
    site.requests.length = 0;
    await rebuildSession(session, { signal });
    expect(site.requests).toEqual(["GET /two"]);
    expect(await tab.page.title()).toBe("two");
    expect((await step(tab, "forward", { signal })).url).toBe(`${site.url}/three`);
    expect(await tab.page.title()).toBe("three");
    await step(tab, "back", { signal });
    expect((await step(tab, "back", { signal })).url).toBe(`${site.url}/one`);
    expect(await tab.page.title()).toBe("one");
    expect(toBrowseError(await step(tab, "back", { signal }).catch((error: unknown) => error)).kind).toBe("not_found");
  });

  it("keeps the viewport and how far each page was scrolled", async () => {
    const tab = await rebuilding.tabAt("/one");
    await setViewport(tab, { size: { width: 700, height: 500 } });
    await tab.page.evaluate(() => scrollTo(0, 1234));
    await rebuildSession(session, { signal });
    expect(await tab.page.evaluate(() => [innerWidth, innerHeight, scrollY])).toEqual([700, 500, 1234]);
  });

  it("keeps what load-html put there, and forgets it at the next goto as before", async () => {
    const tab = await session.newTab(rootToken());
    const html = Buffer.from("<title>Kept</title><p>Draft</p>");
    const { url } = await loadHtml(tab, html, { fileName: "draft.html", ...WAIT });
    await rebuildSession(session, { signal });
    expect(await tab.page.title()).toBe("Kept");
    expect(tab.page.url()).toBe(url);
    await tab.page.reload();
    expect(await tab.page.title()).toBe("Kept");
    await goTo(tab, `${site.url}/one`, WAIT);
    expect(tab.loaded).toBeUndefined();
  });

  it("keeps headers, emulation and what new tabs are given", async () => {
    const tab = await rebuilding.tabAt("/one");
    await session.emulation.setHeaders({ "x-kept": "yes" });
    await session.emulation.change(
      () => ({
        userAgent: "Bot/1",
        timezone: "Asia/Tokyo",
        colorScheme: "dark",
        metrics: { scale: 2, mobile: false, touch: false },
        geolocation: { latitude: 1, longitude: 2 },
      }),
      signal,
    );
    await rebuildSession(session, { signal });
    expect(rebuilding.seen).toMatchObject({ "x-kept": "yes", "user-agent": "Bot/1" });
    const state = () => [
      devicePixelRatio,
      Intl.DateTimeFormat().resolvedOptions().timeZone,
      matchMedia("(prefers-color-scheme: dark)").matches,
    ];
    expect(await tab.page.evaluate(state)).toEqual([2, "Asia/Tokyo", true]);
    expect(tab.metrics.scale).toBe(2);
    // It can be changed as before, here and in tabs to come.
    await session.emulation.change(() => ({ timezone: "America/Lima" }), signal);
    expect(await tab.page.evaluate(state)).toEqual([1, "America/Lima", false]);
    const later = await rebuilding.tabAt("/two");
    expect(await later.page.evaluate(state)).toEqual([1, "America/Lima", false]);
  });

  it("loads its pages although it is offline, and is offline again", async () => {
    const tab = await rebuilding.tabAt("/one");
    await session.emulation.change(() => ({ offline: true }), signal);
    await rebuildSession(session, { signal });
    expect(await tab.page.title()).toBe("one");
    expect(
      await tab.page.evaluate(() =>
        fetch("/two").then(
          () => "came",
          () => "failed",
        ),
      ),
    ).toBe("failed");
  });

  it("keeps the dialog policy, the record of the tab, and its events", async () => {
    const tab = await rebuilding.tabAt("/one");
    session.dialogPolicy = "dismiss";
    await tab.page.evaluate(() => console.log("before"));
    const navigated: string[] = [];
    tab.events.on("navigated", (frame) => navigated.push(frame.url()));
    await rebuildSession(session, { signal });
    expect(await tab.page.evaluate(() => confirm("Sure?"))).toBe(false);
    await tab.page.evaluate(() => console.log("after"));
    expect(tab.capture.console.since(0).map(({ value }) => value.text)).toEqual(["before", "after"]);
    expect(tab.capture.network.since(0).filter(({ value }) => value.url.endsWith("/one"))).toHaveLength(1);
    await goTo(tab, `${site.url}/two`, WAIT);
    expect(navigated).toEqual([`${site.url}/two`]);
  });

  it("says once that the frame which commands were scoped to is missing", async () => {
    site.set("/framed", `<iframe src="/one"></iframe>`);
    const tab = await rebuilding.tabAt("/framed");
    await tab.page.waitForLoadState("load");
    tab.scopeTo(tab.page.mainFrame().childFrames()[0]);
    site.set("/framed", "<p>No frame any more");
    await rebuildSession(session, { signal });
    expect(() => tab.frame).toThrow(/left the page/);
    expect(tab.frame).toBe(tab.page.mainFrame());
  });

  it("scopes commands to the same frame", async () => {
    const tab = await rebuilding.tabAt("/frames");
    await tab.page.waitForLoadState("load");
    tab.scopeTo(tab.page.mainFrame().childFrames()[1]);
    await rebuildSession(session, { signal });
    expect(tab.frame.name()).toBe("second");
    expect(tab.frame.page()).toBe(tab.page);
  });

  it("never lets an old ref mean an element of the new page, and counts on", async () => {
    const tab = await rebuilding.tabAt("/one");
    const { nodes } = await takeSnapshot(tab, { interactive: true, signal });
    const old = nodes[0]!.ref!;
    await rebuildSession(session, { signal });
    expect(toBrowseError(await resolve(tab, old, { signal }).catch((error: unknown) => error)).kind).toBe("stale_ref");
    const { nodes: now } = await takeSnapshot(tab, { interactive: true, signal });
    expect(now[0]?.name).toBe(nodes[0]?.name);
    expect(Number(now[0]?.ref?.slice(2))).toBeGreaterThan(Number(old.slice(2)));
    expect(toBrowseError(await resolve(tab, old, { signal }).catch((error: unknown) => error)).kind).toBe("stale_ref");
  });

  it("takes options that only a new context can be told", async () => {
    const tab = await rebuilding.tabAt("/one");
    await rebuildSession(session, { signal, context: { bypassCSP: true, hasTouch: true } });
    expect(await tab.page.evaluate(() => "ontouchstart" in window)).toBe(true);
  });

  it("is filmed on in the new context", async () => {
    const tab = await rebuilding.tabAt("/one");
    await recordingsOf(session).start(tab, rootToken(), signal);
    await rebuildSession(session, { signal });
    const flashes = [{ background: "red" }, { background: "blue" }];
    await tab.page.evaluate(async (frames) => void (await document.body.animate(frames, 800).finished), flashes);
    const film = await recordingsOf(session).find(tab, rootToken()).finish();
    expect(film).not.toHaveProperty("ended");
    // Without those of the new page there are two: the first one, and how it looks in the end.
    expect(film.frames).toBeGreaterThan(2);
  });

  it("brings a crashed tab back", async () => {
    const tab = await rebuilding.tabAt("/one");
    const crashed = new Promise((done) => tab.events.once("crashed", () => done(undefined)));
    tab.page.goto("chrome://crash").catch(() => undefined);
    await crashed;
    await rebuildSession(session, { signal });
    expect(tab.isOpen).toBe(true);
  });

  it("knows the tabs that pages opened while they were loaded again", async () => {
    site.set(
      "/opener",
      `<!doctype html><title>Opener</title><script>if (!window.opened) window.opened = open("/one")</script>`,
    );
    const tab = await rebuilding.tabAt("/opener");
    await rebuildSession(session, { signal });
    expect(session.tabs).toContain(tab);
    expect(session.context.pages().length).toBe(session.tabs.length);
  });
});

describe("A rebuild that fails", () => {
  it("says that a page hangs, whose storage it would lose", async () => {
    expect(await hanging).toEqual({ said: expect.stringContaining("hangs"), isLeft: true });
  });
});
