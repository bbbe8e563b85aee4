import { afterAll, beforeAll, expect, test } from "vitest";
import { clickElement } from "../../../refs/act/click.ts";
import { errorOf, openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

async function click(target: string, options = {}): Promise<void> {
  const { tab, signal } = stage;
  await clickElement(tab, await stage.ref(target), { signal, ...options });
}

test("a button is pressed once", async () => {
  await stage.show(`<button onclick="say('saved')">Save</button>`);
  await click("role=button[name=Save]");
  expect(await stage.log()).toEqual(["saved"]);
});

test("double, right and modified presses arrive as such", async () => {
  await stage.show(
    `<button ondblclick="say('double')" oncontextmenu="say('menu')" onclick="say('click' + event.shiftKey)">Go</button>`,
  );
  await click("button", { clickCount: 2 });
  await click("button", { button: "right" });
  await click("button", { modifiers: ["Shift"] });
  expect(await stage.log()).toEqual(["clickfalse", "clickfalse", "double", "menu", "clicktrue"]);
});

test("the position given is where the press lands", async () => {
  await stage.show(`<canvas width=200 height=100 onclick="say(event.offsetX + ',' + event.offsetY)"></canvas>`);
  await click("canvas", { position: { x: 30, y: 70 } });
  expect(await stage.log()).toEqual(["30,70"]);
});

test.each([
  ["display: none", "not displayed"],
  ["visibility: hidden", "visibility is hidden"],
  ["width: 0; height: 0; padding: 0; border: 0; overflow: hidden; display: block; font-size: 0", "no size"],
])("a button with %s is refused as not visible", async (style, reason) => {
  await stage.show(`<button id=b style="${style}" onclick="say('wrong')">Save</button>`);
  const error = await errorOf(click("#b"));
  expect(error).toMatchObject({ kind: "not_visible", details: { reason: expect.stringContaining(reason) } });
  expect(await stage.log()).toEqual([]);
});

test.each([
  ["details", "<summary>More</summary>", 'the details "More" around it is closed'],
  ["div hidden=until-found", "", "hidden until found"],
  ["div style='content-visibility: hidden'", "", "not drawn"],
])("a button in a closed <%s> is refused as not visible", async (holder, summary, reason) => {
  await stage.show(`<${holder}>${summary}<button id=b onclick="say('wrong')">Save</button></${holder.split(" ")[0]}>`);
  const error = await errorOf(click("#b"));
  expect(error).toMatchObject({ kind: "not_visible", details: { reason: expect.stringContaining(reason) } });
});

test("something placed where no scrolling reaches is refused", async () => {
  await stage.show(`<button style="position: absolute; left: -5000px">Save</button>`);
  expect(await errorOf(click("button"))).toMatchObject({ kind: "not_visible" });
});

test.each([
  [`<button disabled>Save</button>`, "disabled"],
  [`<fieldset disabled><button>Save</button></fieldset>`, "disabled"],
  [`<div aria-disabled=true><button>Save</button></div>`, "aria-disabled"],
  [`<div inert><button>Save</button></div>`, "inert"],
  [`<button style="pointer-events: none">Save</button>`, "pointer-events"],
])("%s is refused as disabled", async (html, reason) => {
  await stage.show(html);
  expect(await errorOf(click("button"))).toMatchObject({ kind: "disabled", details: { reason } });
});

test("a covered button names what covers it, with a ref that can be pressed", async () => {
  await stage.show(`<button onclick="say('wrong')">Save</button>
    <div role=dialog aria-label="Cookies" onclick="say('dialog')" style="position: fixed; inset: 0; background: white"><p>text</p></div>`);
  const error = await errorOf(click("button"));
  expect(error).toMatchObject({ kind: "covered", details: { cover: { role: "dialog", name: "Cookies" } } });
  const { ref } = (error.details as { cover: { ref: string } }).cover;
  expect(error.message).toContain(`covered by ${ref} [dialog] "Cookies"`);
  await click(ref);
  expect(await stage.log()).toEqual(["dialog"]);
});

test("a button that is covered in its middle only is pressed beside it", async () => {
  await stage.show(`<div style="position: relative; width: 300px"><button style="width: 300px; height: 40px" onclick="say('saved')">Save</button>
    <div style="position: absolute; left: 130px; top: 0; width: 40px; height: 40px; background: red" onclick="say('wrong')"></div></div>`);
  await click("button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("a row is pressed beside the button inside it", async () => {
  await stage.show(`<div role=option aria-label=Row tabindex=0 style="width: 300px" onclick="say(event.target.tagName)">
    <button style="width: 100px; margin-left: 100px">Delete</button></div>`);
  await click("role=option[name=Row]");
  expect(await stage.log()).toEqual(["DIV"]);
});

/** A branch that is open over so many leaves that no point of a coarse grid is its own. */
const OPEN_BRANCH = `<ul role=tree onclick="say(event.target.closest('[role=treeitem]').id)">
  <li role=treeitem id=branch tabindex=0><span>Branch</span><ul role=group>
  ${Array.from({ length: 60 }, (_, n) => `<li role=treeitem id=leaf${n} tabindex=-1>Leaf ${n}</li>`).join("")}</ul></li></ul>`;

test("an open branch of a tree is pressed on its own line, however many leaves it has", async () => {
  await stage.show(OPEN_BRANCH);
  await click("role=treeitem[name=Branch]");
  await click("#leaf59");
  await click("role=treeitem[name=Branch]");
  expect(await stage.log()).toEqual(["branch", "leaf59", "branch"]);
});

test("a branch that shows nothing of its own is not pressed through its leaves", async () => {
  await stage.show(`<ul role=tree style="padding: 0"><li role=treeitem id=branch aria-label=Branch onclick="say(event.target.id)">
    <ul role=group style="margin: 0; padding: 0"><li role=treeitem id=leaf>Leaf</li></ul></li></ul>`);
  const error = await errorOf(click("#branch"));
  expect(error).toMatchObject({ kind: "covered", message: expect.stringContaining("Leaf") });
  expect(await stage.log()).toEqual([]);
});

test("a control that slides into a row under the mouse takes no press meant for the row", async () => {
  await stage.show(`<div role=option id=row style="width: 200px; height: 40px; position: relative" onclick="say(event.target.id)"
    onmouseenter="this.insertAdjacentHTML('beforeend', '<button id=remove style=position:absolute;left:60px;width:80px;top:0;bottom:0>Remove</button>')"
    aria-label=Row></div>`);
  await click("#row");
  expect(await stage.log()).toEqual(["row"]);
});

test("a button under a sticky header is scrolled clear of it", async () => {
  await stage.show(`<div style="position: sticky; top: 0; height: 400px; background: white; z-index: 1" onclick="say('wrong')">Header</div>
    <div style="height: 2000px"></div><button onclick="say('saved')">Save</button><div style="height: 2000px"></div>`);
  await click("button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("a button in nested scroll containers is scrolled to", async () => {
  await stage.show(`<div style="height: 1500px"></div><div style="height: 200px; overflow: auto"><div style="height: 900px"></div>
    <div style="height: 100px; overflow: auto"><div style="height: 700px"></div><button onclick="say('saved')">Save</button></div></div>`);
  await click("button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("a link over two lines is pressed on its text", async () => {
  await stage.show(`<p style="width: 200px; font: 16px monospace" onclick="say('paragraph')">aaaaaaaaaaaa
    <a href="#x" onclick="event.stopPropagation(); say('link')">link with more words</a></p>`);
  await click("a");
  expect(await stage.log()).toEqual(["link"]);
});

test("a link without a box of its own is pressed on what it holds", async () => {
  await stage.show(
    `<a href="#x" style="display: contents" onclick="say('link')"><div style="width: 50px; height: 50px">x</div></a>`,
  );
  await click("a");
  expect(await stage.log()).toEqual(["link"]);
});

test("a button in a shadow root, under a slot, is pressed", async () => {
  await stage.show(`<x-box><button onclick="say('saved')">Save</button></x-box><script>
    customElements.define("x-box", class extends HTMLElement { constructor() { super();
      this.attachShadow({ mode: "open" }).innerHTML = "<div><slot></slot><button id=inner>Inner</button></div>";
      this.shadowRoot.querySelector("#inner").onclick = () => say("inner"); } });</script>`);
  await click("role=button[name=Save]");
  await click("role=button[name=Inner]");
  expect(await stage.log()).toEqual(["saved", "inner"]);
});

test("a checkbox hidden under its label's picture is pressed through the label", async () => {
  await stage.show(`<label style="position: relative"><input type=checkbox onclick="say('box')" style="opacity: 0; position: absolute">
    <span style="position: absolute; inset: 0; width: 40px; height: 40px; background: teal"></span></label>`);
  await click("input");
  expect(await stage.log()).toEqual(["box"]);
});

test("a button that moves with a transition is pressed where it comes to rest", async () => {
  await stage.show(`<style>button { transition: transform 300ms linear } .go { transform: translateX(400px) }</style>
    <button onclick="say('saved')">Save</button>`);
  const ref = await stage.ref("button");
  await stage.tab.page.evaluate(
    `document.querySelector("button").classList.add("go"), getComputedStyle(document.querySelector("button")).transform`,
  );
  await clickElement(stage.tab, ref, { signal: stage.signal });
  expect(await stage.log()).toEqual(["saved"]);
});

test("a button that a script keeps moving is never missed for its neighbor", async () => {
  await stage.show(`<div id=field onclick="say('field')" style="height: 500px"><button style="position: absolute; width: 60px"
    onclick="event.stopPropagation(); say('saved')">Save</button></div><script>
    const button = document.querySelector("button"); let x = 0;
    const move = () => { button.style.left = (x = (x + 97) % 700) + "px"; requestAnimationFrame(move); }; move();</script>`);
  const ref = await stage.ref("button");
  await clickElement(stage.tab, ref, { signal: stage.signal }).catch(() => undefined);
  expect((await stage.log()).filter((text) => text !== "saved")).toEqual([]);
});

test("an overlay that appears under the mouse takes no press", async () => {
  await stage.show(`<button onclick="say('wrong')">Save</button><script>
    addEventListener("mousemove", () => { const cover = document.createElement("div");
      cover.setAttribute("role", "alert"); cover.textContent = "Wait"; cover.style = "position: fixed; inset: 0";
      for (const type of ["pointerdown", "mousedown", "mouseup", "click"]) cover.addEventListener(type, () => say("cover " + type));
      document.body.append(cover); }, { once: true });</script>`);
  expect(await errorOf(click("button"))).toMatchObject({ kind: "covered", details: { cover: { role: "alert" } } });
  expect(await stage.log()).toEqual([]);
});

test("an overlay that comes and goes is waited out", async () => {
  await stage.show(`<button onclick="say('saved')">Save</button><script>
    addEventListener("mousemove", () => { const cover = document.createElement("div"); cover.style = "position: fixed; inset: 0";
      document.body.append(cover); addEventListener("pointerup", () => cover.remove());
      setTimeout(() => cover.remove(), 20); }, { once: true });</script>`);
  await click("button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("a re-labeled element is not pressed", async () => {
  await stage.show(`<button onclick="say('wrong')">Archive</button>`);
  const ref = await stage.ref("button");
  await stage.tab.page.evaluate(`document.querySelector("button").textContent = "Delete"`);
  const error = await errorOf(clickElement(stage.tab, ref, { signal: stage.signal }));
  expect(error).toMatchObject({ kind: "stale_ref", message: expect.stringContaining('is now [button] "Delete"') });
  expect(await stage.log()).toEqual([]);
});

test("an element that is re-labeled under the mouse is not pressed", async () => {
  await stage.show(`<button onclick="say('wrong')" onmousemove="this.textContent = 'Delete'">Archive</button>`);
  expect(await errorOf(click("button"))).toMatchObject({ kind: "stale_ref" });
  expect(await stage.log()).toEqual([]);
});

test("a name that only the style of hovering adds to is no other name", async () => {
  await stage.show(
    `<style>button:hover::after { content: " now" }</style><button onclick="say('saved')">Save</button>`,
  );
  await click("button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("an element replaced while the mouse is down is reported, with its successor", async () => {
  await stage.show(`<div id=box></div><script>const make = () => { box.innerHTML = "<button>Save</button>";
    box.firstChild.onmousedown = make; box.firstChild.onclick = () => say("clicked"); }; make();</script>`);
  const error = await errorOf(click("button"));
  expect(error).toMatchObject({ kind: "detached", hint: expect.stringMatching(/@e\d+/) });
  expect(await stage.log()).toEqual([]);
});

test("a menu item that acts and goes when the mouse comes down has been pressed", async () => {
  await stage.show(`<div role=menu><div role=menuitem onmousedown="say('chosen'); this.parentNode.remove()">Open</div></div>
    <button onclick="say('wrong')">Below</button>`);
  await click("role=menuitem[name=Open]");
  expect(await stage.log()).toEqual(["chosen"]);
});

test("a removed element and one of a former document are stale at once", async () => {
  await stage.show(`<button>Save</button>`);
  const ref = await stage.ref("button");
  await stage.tab.page.evaluate(`document.querySelector("button").remove()`);
  expect(await errorOf(clickElement(stage.tab, ref, { signal: stage.signal }))).toMatchObject({ kind: "stale_ref" });
  await stage.tab.page.goto(`${stage.origin}/next`);
  expect(await errorOf(clickElement(stage.tab, ref, { signal: stage.signal }))).toMatchObject({ kind: "stale_ref" });
});

test("pressing an option selects it in its list", async () => {
  await stage.show(`<select onchange="say('changed ' + value)"><option value=1>One<option value=2>Two</select>`);
  await click("role=option[name=Two]");
  expect(await stage.log()).toEqual(["changed 2"]);
});

test("the guard lets go after the press", async () => {
  await stage.show(`<button onclick="say('saved')">Save</button><p onclick="say('paragraph')">text</p>`);
  await click("button");
  await stage.tab.page.click("p");
  expect(await stage.log()).toEqual(["saved", "paragraph"]);
});

test("a page that was written anew is guarded as before, and pressed once", async () => {
  await stage.show("<p>old</p>");
  await stage.ref("p");
  await stage.tab.page.setContent(
    `<button onclick="log.push('saved')" onmousemove="this.textContent = 'Delete'">Archive</button><button id=b onclick="log.push('b')">B</button>`,
  );
  expect(await errorOf(click("role=button[name=Archive]"))).toMatchObject({ kind: "stale_ref" });
  await click("#b");
  expect(await stage.log()).toEqual(["b"]);
});

test("a press that is cancelled leaves no guard behind", async () => {
  await stage.show(
    `<button onmousedown="pressed(); const end = Date.now() + 300; while (Date.now() < end);">Save</button><p onclick="say('paragraph')">text</p>`,
  );
  const cancel = new AbortController();
  await stage.tab.page.exposeFunction("pressed", () => cancel.abort());
  const ref = await stage.ref("button");
  expect(await errorOf(clickElement(stage.tab, ref, { signal: cancel.signal }))).toMatchObject({ kind: "cancelled" });
  await stage.tab.page.click("p");
  expect(await stage.log()).toEqual(["paragraph"]);
});

test("a dialog that stays open ends the press, and its answer brings the page back", async () => {
  await using asking = await openStage({ dialogPolicy: "ask" });
  await asking.show(`<button onclick="say(String(confirm('Sure?')))">Save</button>`);
  await clickElement(asking.tab, await asking.ref("button"), { signal: asking.signal });
  expect(asking.tab.dialogs.open).toMatchObject({ message: "Sure?" });
  await asking.tab.dialogs.answer({ accept: true });
  expect(await asking.log()).toEqual(["true"]);
});
