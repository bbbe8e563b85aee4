/** Where a press lands, and what is refused since it cannot be seen or used. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { clickElement } from "../../../refs/act/click.ts";
import { click, errorOf, openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test("a button is pressed once", async () => {
  await stage.show(`<button onclick="say('saved')">Save</button>`);
  await click(stage, "role=button[name=Save]");
  expect(await stage.log()).toEqual(["saved"]);
});

test("double, right and modified presses arrive as such", async () => {
  await stage.show(
    `<button ondblclick="say('double')" oncontextmenu="say('menu')" onclick="say('click' + event.shiftKey)">Go</button>`,
  );
  await click(stage, "button", { clickCount: 2 });
  await click(stage, "button", { button: "right" });
  await click(stage, "button", { modifiers: ["Shift"] });
  expect(await stage.log()).toEqual(["clickfalse", "clickfalse", "double", "menu", "clicktrue"]);
});

test.each([
  ["a check box", "<label><input type=checkbox id=c> <span>Terms</span></label>"],
  ["a radio button", "<label><input type=radio id=c> <span>Terms</span></label>"],
  ["one elsewhere", "<input type=checkbox id=c><label for=c>The <b><span>Terms</span></b></label>"],
  [
    "one that cannot be seen",
    "<label><input type=checkbox id=c style='opacity: 0; position: absolute'><span>Terms</span></label>",
  ],
])("a press on a word in the label of %s is one on it, as the browser has it", async (_what, html) => {
  await stage.show(`${html}<script>c.onclick = () => say('control ' + c.checked)</script>`);
  await click(stage, "span");
  expect(await stage.log()).toEqual(["control true"]);
});

test("the position given is where the press lands", async () => {
  await stage.show(`<canvas width=200 height=100 onclick="say(event.offsetX + ',' + event.offsetY)"></canvas>`);
  await click(stage, "canvas", { position: { x: 30, y: 70 } });
  expect(await stage.log()).toEqual(["30,70"]);
});

test.each([
  ["display: none", "not displayed"],
  ["visibility: hidden", "visibility is hidden"],
  ["width: 0; height: 0; padding: 0; border: 0; overflow: hidden; display: block; font-size: 0", "no size"],
])("a button with %s is refused as not visible", async (style, reason) => {
  await stage.show(`<button id=b style="${style}" onclick="say('wrong')">Save</button>`);
  const error = await errorOf(click(stage, "#b"));
  expect(error).toMatchObject({ kind: "not_visible", details: { reason: expect.stringContaining(reason) } });
  expect(await stage.log()).toEqual([]);
});

test.each([
  ["details", "<summary>More</summary>", 'the details "More" around it is closed'],
  ["div hidden=until-found", "", "hidden until found"],
  ["div style='content-visibility: hidden'", "", "not drawn"],
])("a button in a closed <%s> is refused as not visible", async (holder, summary, reason) => {
  await stage.show(`<${holder}>${summary}<button id=b onclick="say('wrong')">Save</button></${holder.split(" ")[0]}>`);
  const error = await errorOf(click(stage, "#b"));
  expect(error).toMatchObject({ kind: "not_visible", details: { reason: expect.stringContaining(reason) } });
});

test("something placed where no scrolling reaches is refused", async () => {
  await stage.show(`<button style="position: absolute; left: -5000px">Save</button>`);
  expect(await errorOf(click(stage, "button"))).toMatchObject({ kind: "not_visible" });
});

test.each([
  [`<button disabled>Save</button>`, "disabled"],
  [`<fieldset disabled><button>Save</button></fieldset>`, "disabled"],
  [`<div aria-disabled=true><button>Save</button></div>`, "aria-disabled"],
  [`<div inert><button>Save</button></div>`, "inert"],
  [`<button style="pointer-events: none">Save</button>`, "pointer-events"],
])("%s is refused as disabled", async (html, reason) => {
  await stage.show(html);
  expect(await errorOf(click(stage, "button"))).toMatchObject({ kind: "disabled", details: { reason } });
});

test("a button under a sticky header is scrolled clear of it", async () => {
  await stage.show(`<div style="position: sticky; top: 0; height: 400px; background: white; z-index: 1" onclick="say('wrong')">Header</div>
    <div style="height: 2000px"></div><button onclick="say('saved')">Save</button><div style="height: 2000px"></div>`);
  await click(stage, "button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("a button in nested scroll containers is scrolled to", async () => {
  await stage.show(`<div style="height: 1500px"></div><div style="height: 200px; overflow: auto"><div style="height: 900px"></div>
    <div style="height: 100px; overflow: auto"><div style="height: 700px"></div><button onclick="say('saved')">Save</button></div></div>`);
  await click(stage, "button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("a link over two lines is pressed on its text", async () => {
  await stage.show(`<p style="width: 200px; font: 16px monospace" onclick="say('paragraph')">aaaaaaaaaaaa
    <a href="#x" onclick="event.stopPropagation(); say('link')">link with more words</a></p>`);
  await click(stage, "a");
  expect(await stage.log()).toEqual(["link"]);
});

test("a link without a box of its own is pressed on what it holds", async () => {
  await stage.show(
    `<a href="#x" style="display: contents" onclick="say('link')"><div style="width: 50px; height: 50px">x</div></a>`,
  );
  await click(stage, "a");
  expect(await stage.log()).toEqual(["link"]);
});

test("a button in a shadow root, under a slot, is pressed", async () => {
  await stage.show(`<x-box><button onclick="say('saved')">Save</button></x-box><script>
    customElements.define("x-box", class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: "open" }).innerHTML = "<div><slot></slot><button id=inner>Inner</button></div>";
      this.shadowRoot.querySelector("#inner").onclick = () => say("inner"); } });</script>`);
  await click(stage, "role=button[name=Save]");
  await click(stage, "role=button[name=Inner]");
  expect(await stage.log()).toEqual(["saved", "inner"]);
});

test("a checkbox hidden under its label's picture is pressed through the label", async () => {
  await stage.show(`<label style="position: relative"><input type=checkbox onclick="say('box')" style="opacity: 0; position: absolute">
    <span style="position: absolute; inset: 0; width: 40px; height: 40px; background: teal"></span></label>`);
  await click(stage, "input");
  expect(await stage.log()).toEqual(["box"]);
});

test("pressing an option selects it in its list", async () => {
  await stage.show(`<select onchange="say('changed ' + value)"><option value=1>One<option value=2>Two</select>`);
  await click(stage, "role=option[name=Two]");
  expect(await stage.log()).toEqual(["changed 2"]);
});

test("a dialog that stays open ends the press, and its answer brings the page back", async () => {
  await using asking = await openStage({ dialogPolicy: "ask" });
  await asking.show(`<button onclick="say(String(confirm('Sure?')))">Save</button>`);
  await clickElement(asking.tab, await asking.ref("button"), { signal: asking.signal });
  expect(asking.tab.dialogs.open).toMatchObject({ message: "Sure?" });
  await asking.tab.dialogs.answer({ accept: true });
  expect(await asking.log()).toEqual(["true"]);
});
