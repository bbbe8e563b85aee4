/** Pages that change while they are acted on: cases that the randomized test has found, each by itself. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { setChecked } from "../../../refs/act/check.ts";
import { clickElement } from "../../../refs/act/click.ts";
import { fill } from "../../../refs/act/fill.ts";
import { hitReportsOf } from "../../../refs/act/hit_reports.ts";
import { Mouse } from "../../../refs/act/mouse.ts";
import { errorOf, openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

async function click(target: string) {
  const { tab, signal } = stage;
  return await clickElement(tab, await stage.ref(target), { signal });
}

test("an element that moves away when the mouse comes down on it is not said to be clicked", async () => {
  await stage.show(`<button onmousedown="this.style.marginTop = '200px'" onclick="say('clicked')">Save</button>
    <p style="height: 100px" onclick="say('wrong')">text</p>`);
  const error = await errorOf(click("button"));
  expect(error).toMatchObject({ kind: "covered", message: expect.stringContaining("was not clicked") });
  expect(await stage.log()).toEqual([]);
});

test("one that is replaced on pointerdown leaves its mousedown to nobody", async () => {
  await stage.show(`<button onpointerdown="this.replaceWith(this.cloneNode(true))">Save</button>
    <script>document.addEventListener("mousedown", () => say("down"))</script>`);
  expect(await errorOf(click("button"))).toMatchObject({ kind: "detached" });
  expect(await stage.log()).toEqual([]);
});

test("an element that is taken out and put back under the mouse is not said to be clicked", async () => {
  await stage.show(
    `<div><button onmousedown="this.parentNode.append(this)" onclick="say('clicked')">Save</button></div>`,
  );
  expect(await errorOf(click("button"))).toMatchObject({ kind: "detached" });
  expect(await stage.log()).toEqual([]);
});

test("a button in a shadow tree that is put back on pointerdown leaves its mousedown to nobody", async () => {
  await stage.show(`<x-box></x-box><script>
    document.querySelector("x-box").attachShadow({ mode: "open" }).innerHTML = "<button>Save</button>";
    const { shadowRoot } = document.querySelector("x-box");
    addEventListener("pointerdown", () => shadowRoot.append(shadowRoot.firstChild), true);
    document.addEventListener("mousedown", () => say("down"));
  </script>`);
  expect(await errorOf(click("button"))).toMatchObject({ kind: "detached" });
  expect(await stage.log()).toEqual([]);
});

test("an element that is disabled when the mouse comes down is refused as disabled", async () => {
  await stage.show(`<button onpointerdown="this.disabled = true" onclick="say('clicked')">Save</button>`);
  expect(await errorOf(click("button"))).toMatchObject({ kind: "disabled" });
  expect(await stage.log()).toEqual([]);
});

test("a checkbox that hides when the mouse comes down is not waited for", async () => {
  await stage.show(`<input type=checkbox aria-label=Agree onmousedown="this.style.display = 'none'">`);
  const ref = await stage.ref("input");
  const error = await errorOf(setChecked(stage.tab, ref, true, { signal: stage.signal }));
  expect(error).toMatchObject({ kind: "detached", message: expect.stringContaining("was not clicked") });
});

test("a frame that is put under the mouse takes no press", async () => {
  await stage.show(`<button onclick="say('saved')">Save</button><script>addEventListener("pointermove", () => {
    const frame = document.createElement("iframe"); frame.style = "position: fixed; inset: 0; width: 100%; height: 100%";
    document.body.append(frame);
    frame.contentDocument.write("<button style='position: fixed; inset: 0; width: 100%' onmousedown='top.say(1)' onclick='top.say(2)'>Trap</button>");
  }, { once: true })</script>`);
  expect(await errorOf(click("button"))).toMatchObject({ kind: "covered", details: { cover: { role: "iframe" } } });
  expect(await stage.log()).toEqual([]);
});

test("a frame that leaves before the press reaches it is stale, and what lies below hears nothing", async () => {
  await stage.show(
    `<iframe name=inner src="/inner"></iframe><script>document.addEventListener("click", () => say("below"))</script>`,
    {
      "/inner": `<button onpointermove="say('moved'); frameElement.remove()">Save</button>`,
    },
  );
  const ref = await stage.refIn("inner", "button");
  const error = await errorOf(clickElement(stage.tab, ref, { signal: stage.signal }));
  expect(["stale_ref", "frame_gone"]).toContain(error.kind);
  expect(await stage.log()).toEqual(["moved"]);
});

test("a link whose page comes at once has been clicked", async () => {
  await stage.show(`<a href="/next">Go</a>`);
  expect(await click("a")).toBe("clicked");
  await stage.tab.page.waitForURL("**/next");
});

test("a page that comes while the press is on its way takes none of it", async () => {
  // What lies where the element was hears of the press before it knows that it was not meant.
  const other = `<button style="position:fixed;inset:0;width:100%">Delete all</button>
    <script>addEventListener("pointerdown", () => fetch("/heard"), true)</script>`;
  await stage.show(`<button>Save</button>`, { "/other": other });
  const { tab, signal } = stage;
  const ref = await stage.ref("button");
  await hitReportsOf(tab).begin(ref);
  await tab.page.goto(`${stage.origin}/other`);
  const heard = tab.page.waitForRequest("**/heard", { timeout: 600 }).then(
    () => "heard",
    () => "silence",
  );
  await new Mouse(tab).click({ x: 40, y: 40 });
  expect(await heard).toBe("silence");
  hitReportsOf(tab).end();
  const again = tab.page.waitForRequest("**/heard");
  await clickElement(tab, await stage.ref("button"), { signal });
  await again;
});

test("a frame of another site that navigates under the mouse does not hold the press up", async () => {
  await stage.show(`<iframe name=inner src="${stage.other}/inner"></iframe>`, {
    "/inner": `<button onpointermove="location = '/next'">Save</button>`,
  });
  const ref = await stage.refIn("inner", "button");
  // Whether the press got there first is not said here: that it ends is.
  const ended = await clickElement(stage.tab, ref, { signal: stage.signal }).catch(
    (error: { kind: string }) => error.kind,
  );
  expect(["clicked", "stale_ref", "detached", "covered", "frame_gone"]).toContain(ended);
});

test("an element that hides keeps its name: it is not visible, not another", async () => {
  await stage.show(`<button>Save</button>`);
  const ref = await stage.ref("button");
  await stage.tab.page.evaluate(`document.querySelector("button").style.display = "none"`);
  expect(await errorOf(click(ref.id))).toMatchObject({ kind: "not_visible" });
});

test.each([
  ["is replaced", `this.replaceWith(this.cloneNode())`],
  ["becomes another", `this.setAttribute("aria-label", "Card number")`],
])("a field that %s when it gets the focus is not filled", async (_what, script) => {
  await stage.show(`<input aria-label=Name onfocus='${script}' oninput="say('input')">`);
  const ref = await stage.ref("input");
  const error = await errorOf(fill(stage.tab, ref, "Ada", { signal: stage.signal }));
  expect(error).toMatchObject({ kind: "stale_ref" });
  expect(await stage.log()).toEqual([]);
  expect(await stage.tab.page.inputValue("input")).toBe("");
});
