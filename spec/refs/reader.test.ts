/** Questions to the reader, both ways there. */
import type { Frame } from "playwright";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ask } from "../../refs/reader.ts";
import { errorOf, openStage, type Stage } from "./act/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

/** The same frame, of a driver that lets nobody look inside. */
function closed(frame: Frame): Frame {
  return Object.create(frame, { _connection: { value: undefined } });
}

async function textOf(frame: Frame): Promise<string> {
  const answer = await ask(frame, "text", {});
  if (answer.state !== "here") throw new Error(`The document is ${answer.state}`);
  return answer.text;
}

const HARD = `{"quotes": "'[]>>%20"} \u2013 \u{1f600}`;
const HARD_MARKUP = HARD.replace(/[^ -~]/gu, (char) => `&#${char.codePointAt(0)};`);

describe("a question", () => {
  test("does without the driver's public way, which takes twice as long", async () => {
    await stage.show(`<p>${HARD_MARKUP}</p>`);
    const frame = stage.tab.page.mainFrame();
    const publicWay = vi.spyOn(frame, "textContent");
    expect(await textOf(frame)).toBe(HARD);
    expect(publicWay).not.toHaveBeenCalled();
    publicWay.mockRestore();
  });

  test("goes the public way where there is no other, and is answered alike", async () => {
    await stage.show(`<p>${HARD_MARKUP}</p>`);
    const frame = stage.tab.page.mainFrame();
    expect(await textOf(closed(frame))).toBe(HARD);
    const asked = { by: "css", value: `p:not([title="'>> %"])`, max: 1 } as const;
    expect(await ask(closed(frame), "query", asked)).toEqual(await ask(frame, "query", asked));
  });

  test.each([
    ["directly", (frame: Frame) => frame],
    ["the public way", closed],
  ])("that is asked %s of a page in a loop ends with its signal or its time", async (_, way) => {
    const page = await stage.tab.page.context().newPage();
    const frame = way(page.mainFrame());
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    await page.exposeBinding("begin", () => begin());
    await page.setContent("<p>text</p>");
    const busy = page.evaluate("begin(); for (const end = Date.now() + 1_000; Date.now() < end; );");
    await begun;
    const cancel = new AbortController();
    const late = errorOf(ask(frame, "text", {}, { timeoutMs: 100 }));
    const cancelled = errorOf(ask(frame, "text", {}, { signal: cancel.signal }));
    const slow = errorOf(ask(frame, "text", {}, { signal: AbortSignal.timeout(100) }));
    cancel.abort();
    expect(await slow).toMatchObject({ kind: "timeout" });
    expect(await cancelled).toMatchObject({ kind: "cancelled" });
    expect(await late).toMatchObject({ kind: "timeout" });
    await busy;
    expect(await textOf(frame)).toBe("text");
    await page.close();
  });

  test("that is given up before the document is there is never put", async () => {
    const world = Promise.withResolvers<object>();
    const send = vi.fn(async () => ({ result: { value: "{}" } }));
    const inner = { utilityContext: () => world.promise };
    const frame = Object.create(stage.tab.page.mainFrame(), { _connection: { value: { toImpl: () => inner } } });
    const cancel = new AbortController();
    const given = errorOf(ask(frame, "text", {}, { signal: cancel.signal }));
    cancel.abort();
    expect(await given).toMatchObject({ kind: "cancelled" });
    world.resolve({ injectedScript: async () => ({ _objectId: "1" }), delegate: { _client: { send } } });
    await new Promise(setImmediate);
    expect(send).not.toHaveBeenCalled();
  });

  test("is answered by the document that came, when one goes away under it", async () => {
    await stage.show("<p>old</p>", { "/next": "<p>new</p>" });
    const page = stage.tab.page;
    const frame = page.mainFrame();
    const said = new Set([await textOf(frame)]);
    let isThere = false;
    const going = page.goto(`${stage.origin}/next`).then(() => {
      isThere = true;
    });
    while (!isThere) said.add(await textOf(frame));
    await going;
    said.add(await textOf(frame));
    expect([...said].filter(Boolean)).toEqual(["old", "new"]);
  });

  test("of a frame that has left is refused", async () => {
    await stage.show(`<iframe name="in" src="/inner"></iframe>`);
    const page = stage.tab.page;
    const frame = page.frame("in") as Frame;
    expect(await textOf(frame)).toBe("/inner");
    await page.evaluate("document.querySelector('iframe').remove()");
    expect(await errorOf(ask(frame, "text", {}))).toMatchObject({ kind: "frame_gone" });
  });

  test("of a frame that changes its process is not taken for the end of the tab", async () => {
    await stage.show(`<iframe name="in" src="/inner"></iframe>`);
    const textContent = {
      value: () => Promise.reject(new Error("frame.textContent: Target page, context or browser has been closed")),
    };
    const { page } = stage.tab;
    const frames = [page.frame("in") as Frame, page.mainFrame()];
    const kinds = frames.map(async (frame) => {
      const swapped = Object.create(frame, { _connection: { value: undefined }, textContent });
      return (await errorOf(ask(swapped, "text", {}))).kind;
    });
    expect(await Promise.all(kinds)).toEqual(["detached", "tab_gone"]);
  });

  test("of a page that was closed says so", async () => {
    const page = await stage.tab.page.context().newPage();
    const frame = page.mainFrame();
    await textOf(frame);
    await page.close();
    expect(["tab_gone", "frame_gone"]).toContain((await errorOf(ask(frame, "text", {}))).kind);
  });
});
