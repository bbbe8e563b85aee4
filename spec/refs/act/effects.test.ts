import type { CDPSession, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EffectReport } from "../../../browser/effect_report.ts";
import { PLAIN_SCREEN } from "../../../browser/emulation/viewport.ts";
import { Tab } from "../../../browser/tabs/tab.ts";
import { movePointer } from "../../../commands/interact/mouse/_pointer.ts";
import { clickElement } from "../../../refs/act/click.ts";
import { pressKey } from "../../../refs/act/keyboard.ts";
import { observeEffects } from "../../../refs/effects/effects.ts";
import { resolve } from "../../../refs/find/target.ts";
import { lagging } from "./lagging.ts";
import { openStage, type Stage } from "./stage.ts";

const NOTHING = { nothing: true, watchedMs: expect.any(Number) };

let stage: Stage;
/** Nobody hears of a load that goes on before its time is up, so these begin with the first test. */
let underWay: Promise<EffectReport>;
let steppedBack: Promise<EffectReport>;

beforeAll(async () => {
  stage = await openStage();
  underWay = pressing("a", await asideFrom(stage, `<a href="/never">Go</a>`));
  const back = await asideFrom(stage, `<button onclick="history.back()">Back</button>`);
  await back.tab.page.evaluate("history.replaceState(null, '', '/never')");
  await back.tab.page.goto(stage.origin);
  steppedBack = pressing("button", back);
});
afterAll(() => stage[Symbol.asyncDispose]());

async function effectOf(act: () => Promise<unknown>, { tab, signal }: Stage = stage): Promise<EffectReport> {
  using observer = observeEffects(tab, { signal, settles: true });
  await act();
  // The stage's next page comes in between.
  const { before: _, ...effect } = await observer.settle(signal);
  return effect;
}

async function pressing(target: string, on: Stage = stage): Promise<EffectReport> {
  const { tab, signal } = on;
  return await effectOf(async () => clickElement(tab, await on.ref(target), { signal }), on);
}

/** Another tab of the stage, which shows the markup and stays there. */
async function asideFrom(on: Stage, html: string, session?: (page: Page) => Promise<CDPSession>): Promise<Stage> {
  const page = await on.tab.page.context().newPage();
  const prepared = session && { prepared: { page, metrics: PLAIN_SCREEN, cdp: async () => await session(page) } };
  const tab = new Tab(page, { id: "t9", session: "test", dialogPolicy: () => "accept", ...prepared });
  await on.show(html);
  await page.goto(on.origin);
  return { ...on, tab, ref: async (target) => await resolve(tab, target, { signal: on.signal }) };
}

test("a button that does nothing changes nothing", async () => {
  await stage.show(`<button>Save</button>`);
  expect(await pressing("button")).toEqual(NOTHING);
});

test.each([
  ["a key", async () => pressKey(stage.tab, "Delete", { signal: stage.signal })],
  ["the mouse", async () => movePointer(stage.tab, { action: "down", button: "left" }, { signal: stage.signal })],
])("what %s changes is seen, though a busy page takes input before all else", async (_what, act) => {
  await stage.show(
    `<body style="margin: 0" onmousedown="title = 'held'"><input value=abc autofocus oninput="out.textContent = value"><p id=out></p>`,
  );
  await stage.tab.page.focus("input");
  const busy = stage.tab.page.evaluate("{ const at = performance.now(); while (performance.now() - at < 60); }");
  expect(await effectOf(act)).toEqual({ changed: expect.any(Number) });
  await busy;
});

test("nodes that are added, removed and changed are counted", async () => {
  await stage.show(
    `<button onclick="one.remove(); two.title = 'x'; document.body.append('text')">Save</button><p id=one></p><p id=two></p>`,
  );
  expect(await pressing("button")).toEqual({ changed: 3 });
});

test.each([["<title>Before</title>"], [""]])(
  "a title that alone is another is told by itself, not as nodes: %s",
  async (title) => {
    await stage.show(`${title}<button onclick="document.title = 'After'">Save</button>`);
    expect(await pressing("button")).toEqual({ title: "After" });
  },
);

test("a title that is another beside the page is told beside its nodes", async () => {
  await stage.show(`<title>Before</title><button onclick="document.title = 'After'; title = 'pressed'">Save</button>`);
  expect(await pressing("button")).toEqual({ title: "After", changed: 1 });
});

test("changes before the action do not count, those of an open shadow root do", async () => {
  await stage.show(`<x-box></x-box><script>document.querySelector("x-box").attachShadow({ mode: "open" }).innerHTML =
    "<button onclick='this.title += 1'>Save</button>"</script>`);
  await pressing("button");
  expect(await pressing("button")).toEqual({ changed: 1 });
});

test("what a request brings is waited for", async () => {
  await stage.show(
    `<button onclick="fetch('/slow').then(() => setTimeout(() => { out.textContent = 'done' }, 20))">Load</button><p id=out></p>`,
  );
  expect(await pressing("button")).toEqual({ changed: expect.any(Number) });
  expect(await stage.tab.page.textContent("#out")).toBe("done");
});

test("changes that go on are waited for", async () => {
  await stage.show(
    `<button onclick="let n = 0; out.title = 'started'; const timer = setInterval(() => { out.textContent = ++n; if (n === 5) clearInterval(timer) }, 15)">Run</button><p id=out></p>`,
  );
  await pressing("button");
  expect(await stage.tab.page.textContent("#out")).toBe("5");
});

test.each([
  ["a link", `<a href="/next">Go</a>`, "a"],
  ["a slow link", `<a href="/slow">Go</a>`, "a"],
  ["a script in a link", `<form action="/next"></form><a href="javascript:document.forms[0].submit()">Go</a>`, "a"],
  ["a script", `<button onclick="location.href = '/next'">Go</button>`, "button"],
  ["a form", `<form action="/next"><button>Go</button></form>`, "button"],
])("%s that leads to another page is followed to its commit", async (_what, html, target) => {
  await stage.show(html);
  const effect = await pressing(target);
  expect(effect).toEqual({ navigated: expect.stringMatching(/\/(next|slow)\??$/), status: 200 });
  expect(await stage.tab.page.textContent("h1")).toMatch(/next|slow/);
});

test("a request whose answer leads away is followed", async () => {
  await stage.show(`<button onclick="fetch('/slow').then(() => { location.href = '/next' })">Sign in</button>`);
  expect(await pressing("button")).toEqual({ navigated: `${stage.origin}/next`, status: 200 });
});

test("a navigation that the browser tells of later than the page answers is waited for", async () => {
  const form = `<form action="/next"><button>Send</button></form>`;
  const late = await asideFrom(stage, form, async (page) => lagging(await page.context().newCDPSession(page), 50));
  expect(await pressing("button", late)).toEqual({ navigated: `${stage.origin}/next?`, status: 200 });
});

test("a key can submit a form", async () => {
  await stage.show(`<form action="/next"><input autofocus name=q></form>`);
  const effect = await effectOf(async () => {
    await stage.tab.page.focus("input");
    await pressKey(stage.tab, "Enter", { signal: stage.signal });
  });
  expect(effect).toEqual({ navigated: `${stage.origin}/next?q=`, status: 200 });
});

test("history API and fragment navigations are named", async () => {
  await stage.show(`<button onclick="history.pushState(0, '', '/pushed')">Push</button><a href="#part">Part</a>`);
  expect(await pressing("button")).toMatchObject({ navigated: `${stage.origin}/pushed` });
  expect(await pressing("a")).toMatchObject({ navigated: `${stage.origin}/pushed#part` });
});

test("a reload to the same address counts as a navigation", async () => {
  await stage.show(`<button onclick="location.reload()">Reload</button>`);
  expect(await pressing("button")).toEqual({ navigated: `${stage.origin}/`, status: 200 });
});

test("a link whose answer has no content leaves the page usable", async () => {
  await stage.show(`<a href="/nothing">Ping</a><button onclick="say('saved')">Save</button>`);
  const answered = { method: "GET", url: `${stage.origin}/nothing`, status: 204 };
  expect(await pressing("a")).toEqual({ emptyAnswers: [answered] });
  await pressing("button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("a dialog is told with its outcome", async () => {
  await stage.show(`<button onclick="confirm('Sure?')">Delete</button>`);
  expect(await pressing("button")).toMatchObject({
    dialogs: [{ type: "confirm", message: "Sure?", outcome: "accepted" }],
  });
});

test("a dialog that stays open is told, and nothing hangs", async () => {
  await using asking = await openStage({ dialogPolicy: "ask" });
  await asking.show(`<button onclick="alert('Hello')">Greet</button>`);
  expect(await pressing("button", asking)).toMatchObject({ dialogs: [{ message: "Hello", outcome: "open" }] });
});

test.each([
  ["a link to a new tab", `<a target=_blank href="/next">Go</a>`],
  ["a script", `<a href="javascript:void open('/next')">Go</a>`],
])("%s that opens one is told", async (_what, html) => {
  await stage.show(html);
  expect(await pressing("a")).toEqual({ opened: ["t2"], openedUrls: [expect.any(String)] });
});

test("a link pressed with Control held, or the middle button, opens a tab", async () => {
  await stage.show(`<a href="/next">Go</a>`);
  const { tab, signal } = stage;
  const ref = await stage.ref("a");
  expect(await effectOf(() => clickElement(tab, ref, { signal, modifiers: ["Control"] }))).toEqual({
    opened: ["t2"],
    openedUrls: [expect.any(String)],
  });
  expect(await effectOf(() => clickElement(tab, ref, { signal, button: "middle" }))).toEqual({
    opened: ["t2"],
    openedUrls: [expect.any(String)],
  });
});

test.each([`<a href="/file">Get</a>`, `<a download href="/next">Get</a>`, `<a download href="/slow"><b>Get</b></a>`])(
  "%s downloads",
  async (html) => {
    await stage.show(html);
    expect(await pressing("a")).toEqual({
      downloads: [expect.objectContaining({ url: expect.stringContaining(stage.origin) })],
    });
  },
);

test("a link whose page keeps it from downloading does nothing", async () => {
  await stage.show(`<a download href="/slow" onclick="event.preventDefault()">Get</a>`);
  expect(await pressing("a")).toEqual(NOTHING);
});

describe.each(["the page's own origin", "another origin"])("in a frame of %s", (where) => {
  /** Shows a page with the markup in its frame, and presses what is in there. */
  async function pressInFrame(html: string, target: string, around = ""): Promise<EffectReport> {
    const origin = where === "another origin" ? stage.other : stage.origin;
    await stage.show(`${around}<iframe name=one src="${origin}/frame"></iframe>`, { "/frame": html });
    const { tab, signal } = stage;
    await tab.page.waitForLoadState();
    return await effectOf(async () => clickElement(tab, await stage.refIn("one", target), { signal }));
  }

  test("changes count", async () => {
    const button = `<button onclick="title = 'x'; document.body.append('y')">Save</button>`;
    expect(await pressInFrame(button, "button")).toEqual({ changed: 2 });
  });

  test("a link says where the frame went, which is no navigation of the tab", async () => {
    const effect = await pressInFrame(`<a href="/next">Go</a>`, "a");
    const url = stage.tab.page.frame("one")!.url();
    expect(url).toMatch(/\/next$/);
    expect(effect).toEqual({ frames: [url] });
  });

  test("a form that leads the page away is followed, however long the page takes to leave", async () => {
    const form = `<form action="${stage.origin}/next" target=_top><button>Pay</button></form>`;
    const slow = "<script>onbeforeunload = () => { for (const end = Date.now() + 300; Date.now() < end; ); }</script>";
    expect(await pressInFrame(form, "button", slow)).toEqual({ navigated: `${stage.origin}/next?`, status: 200 });
  });
});

test("a tab that closes itself is told", async () => {
  await stage.show("<p>opener</p>", { "/popup": `<button onclick="window.close()">Close</button>` });
  const opening = stage.tab.page.waitForEvent("popup");
  await stage.tab.page.evaluate("void open('/popup')");
  const popup = await opening;
  await popup.waitForLoadState();
  const tab = new Tab(popup, { id: "t3", session: "test", dialogPolicy: () => "accept" });
  const { signal } = stage;
  const effect = await effectOf(async () => clickElement(tab, await resolve(tab, "button", { signal }), { signal }), {
    ...stage,
    tab,
  });
  expect(effect).toEqual({ closed: true });
});

test("an address that never answers is told as being under way, whether a link or the history leads there", async () => {
  expect(await underWay).toMatchObject({ navigating: `${stage.origin}/never` });
  expect(await steppedBack).toMatchObject({ navigating: `${stage.origin}/never` });
});
