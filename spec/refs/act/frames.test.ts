import { afterAll, beforeAll, expect, test } from "vitest";
import { clickElement } from "../../../refs/act/click.ts";
import { errorOf, openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const BUTTON = `<div style="height: 900px"></div><button onclick="parent.postMessage('saved', '*')">Save</button>`;
const LISTEN = `<script>addEventListener("message", ({ data }) => parent === window ? say(data) : parent.postMessage(data, "*"))</script>`;

async function pressIn(frame: string): Promise<void> {
  const { tab, signal } = stage;
  await tab.page.waitForLoadState();
  await clickElement(tab, await stage.refIn(frame, "button"), { signal });
}

/** The message has to come through every frame around. */
async function logged(): Promise<string[]> {
  await stage.tab.page.waitForFunction("log.length > 0");
  return await stage.log();
}

test("a button below the fold of a frame below the fold is pressed", async () => {
  await stage.show(
    `${LISTEN}<div style="height: 3000px"></div><iframe name=one src="/frame" style="width: 300px; height: 200px; border: 7px solid; padding: 9px"></iframe>`,
    { "/frame": BUTTON },
  );
  await pressIn("one");
  expect(await logged()).toEqual(["saved"]);
});

test("a frame in a frame of another origin, each in a scroll container, is reached", async () => {
  await stage.show(
    `${LISTEN}<div style="height: 1000px"></div><div style="height: 250px; overflow: auto"><div style="height: 800px"></div>
      <iframe name=one src="${stage.other}/middle" style="width: 400px; height: 500px"></iframe></div>`,
    {
      "/middle": `${LISTEN}<div style="height: 700px"></div><iframe name=two src="${stage.origin}/frame" style="width: 300px; height: 300px"></iframe>`,
      "/frame": BUTTON,
    },
  );
  await pressIn("two");
  expect(await logged()).toEqual(["saved"]);
});

test("a frame's button that lies behind the scrollbar of the frame around it is scrolled into view", async () => {
  // The middle of the button is 219.5 pixels down, in a window of 220 with a scrollbar at its lower edge.
  await stage.show(`${LISTEN}<iframe name=one src="/middle" style="width: 360px; height: 220px"></iframe>`, {
    "/middle": `${LISTEN}<style>body { margin: 0 }</style><div style="height: 100px; width: 900px"></div>
      <iframe name=two src="/frame" style="width: 300px; height: 300px; border: 0"></iframe>`,
    "/frame": `<style>body { margin: 0 }</style><div style="height: 109px"></div>
      <button style="height: 21px; display: block" onclick="parent.postMessage('saved', '*')">Save</button>`,
  });
  await pressIn("two");
  expect(await logged()).toEqual(["saved"]);
});

test("a press that makes a frame in a frame of another site leave is known to have arrived", async () => {
  await stage.show(
    `${LISTEN}<iframe name=one src="${stage.other}/middle" style="width: 400px; height: 400px"></iframe>`,
    {
      "/middle": `${LISTEN}<iframe name=two src="/frame" style="width: 300px; height: 300px"></iframe>`,
      "/frame": `<button onfocus="location.assign('/gone')" onclick="parent.postMessage('saved', '*')">Save</button>`,
    },
  );
  await pressIn("two");
  expect(await logged()).toEqual(["saved"]);
});

test("a scaled frame is pressed where it is drawn", async () => {
  await stage.show(
    `${LISTEN}<iframe name=one src="/frame" style="width: 400px; height: 400px; transform: scale(0.5); transform-origin: 30px 90px"></iframe>`,
    { "/frame": BUTTON },
  );
  await pressIn("one");
  expect(await logged()).toEqual(["saved"]);
});

test("what covers a frame is named", async () => {
  await stage.show(
    `<iframe name=one src="/frame"></iframe><div role=alert onclick="say('wrong')" style="position: fixed; inset: 0; background: white">Notice</div>`,
    { "/frame": BUTTON },
  );
  expect(await errorOf(pressIn("one"))).toMatchObject({ kind: "covered", details: { cover: { role: "alert" } } });
  expect(await stage.log()).toEqual([]);
});

test("an overlay that comes over a frame under the mouse takes no press", async () => {
  await stage.show(
    `<iframe name=one src="/frame"></iframe><script>document.querySelector("iframe").onmouseenter = () => {
      const cover = document.createElement("button"); cover.textContent = "Wrong"; cover.style = "position: fixed; inset: 0";
      cover.onclick = cover.onpointerdown = () => say("wrong"); document.body.append(cover); };</script>`,
    { "/frame": BUTTON },
  );
  expect(await errorOf(pressIn("one"))).toMatchObject({ kind: "covered" });
  expect(await stage.log()).toEqual([]);
});

test("a frame that moves away from under the mouse is pressed where it has gone, at once", async () => {
  await stage.show(
    `${LISTEN}<iframe name=one src="/frame" style="position: absolute; left: 0"></iframe><script>
      addEventListener("pointerdown", () => say("astray"), true);
      document.querySelector("iframe").onmouseenter = (event) => { event.target.style.left = "400px" };</script>`,
    { "/frame": BUTTON },
  );
  await pressIn("one");
  await expect.poll(() => stage.log()).toEqual(["saved"]);
});

test("a frame that comes over a button under the mouse takes no press", async () => {
  await stage.show(
    `<button onclick="say('wrong')">Save</button><iframe src="/blank" style="height: 50px"></iframe><script>
      document.querySelector("button").onmouseenter = () => { const cover = document.createElement("iframe");
      cover.srcdoc = "<body onpointerdown='top.say(\\"frame\\")' style='height: 900px'>"; cover.style = "position: fixed; inset: 0; width: 100%; height: 100%";
      document.body.append(cover); };</script>`,
  );
  expect(await errorOf(clickElement(stage.tab, await stage.ref("button"), { signal: stage.signal }))).toMatchObject({
    kind: "covered",
  });
  expect(await stage.log()).toEqual([]);
});

test("a button in a frame that left is stale", async () => {
  await stage.show(`<iframe name=one src="/frame"></iframe>`, { "/frame": BUTTON });
  const ref = await stage.refIn("one", "button");
  await stage.tab.page.evaluate(`document.querySelector("iframe").remove()`);
  expect((await errorOf(clickElement(stage.tab, ref, { signal: stage.signal }))).kind).toMatch(
    /^(stale_ref|frame_gone)$/,
  );
});
