/** A press reaches the element that was meant, or none: not what covers it, and not what it has become. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { clickElement } from "../../../refs/act/click.ts";
import { click, errorOf, openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test("a covered button names what covers it, with a ref that can be pressed", async () => {
  await stage.show(`<button onclick="say('wrong')">Save</button>
    <div role=dialog aria-label="Cookies" onclick="say('dialog')" style="position: fixed; inset: 0; background: white"><p>text</p></div>`);
  const error = await errorOf(click(stage, "button"));
  expect(error).toMatchObject({ kind: "covered", details: { cover: { role: "dialog", name: "Cookies" } } });
  const { ref } = (error.details as { cover: { ref: string } }).cover;
  expect(error.message).toContain(`covered by ${ref} [dialog] "Cookies"`);
  await click(stage, ref);
  expect(await stage.log()).toEqual(["dialog"]);
});

test("a button that is covered in its middle only is pressed beside it", async () => {
  await stage.show(`<div style="position: relative; width: 300px"><button style="width: 300px; height: 40px" onclick="say('saved')">Save</button>
    <div style="position: absolute; left: 130px; top: 0; width: 40px; height: 40px; background: red" onclick="say('wrong')"></div></div>`);
  await click(stage, "button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("a row is pressed beside the button inside it", async () => {
  await stage.show(`<div role=option aria-label=Row tabindex=0 style="width: 300px" onclick="say(event.target.tagName)">
    <button style="width: 100px; margin-left: 100px">Delete</button></div>`);
  await click(stage, "role=option[name=Row]");
  expect(await stage.log()).toEqual(["DIV"]);
});

/** A branch that is open over so many leaves that no point of a coarse grid is its own. */
const OPEN_BRANCH = `<ul role=tree onclick="say(event.target.closest('[role=treeitem]').id)">
  <li role=treeitem id=branch tabindex=0><span>Branch</span><ul role=group>
  ${Array.from({ length: 60 }, (_, n) => `<li role=treeitem id=leaf${n} tabindex=-1>Leaf ${n}</li>`).join("")}</ul></li></ul>`;

test("an open branch of a tree is pressed on its own line, however many leaves it has", async () => {
  await stage.show(OPEN_BRANCH);
  await click(stage, "role=treeitem[name=Branch]");
  await click(stage, "#leaf59");
  await click(stage, "role=treeitem[name=Branch]");
  expect(await stage.log()).toEqual(["branch", "leaf59", "branch"]);
});

test("a branch that shows nothing of its own is not pressed through its leaves", async () => {
  await stage.show(`<ul role=tree style="padding: 0"><li role=treeitem id=branch aria-label=Branch onclick="say(event.target.id)">
    <ul role=group style="margin: 0; padding: 0"><li role=treeitem id=leaf>Leaf</li></ul></li></ul>`);
  const error = await errorOf(click(stage, "#branch"));
  expect(error).toMatchObject({ kind: "covered", message: expect.stringContaining("Leaf") });
  expect(await stage.log()).toEqual([]);
});

test("a control that slides into a row under the mouse takes no press meant for the row", async () => {
  await stage.show(`<div role=option id=row style="width: 200px; height: 40px; position: relative" onclick="say(event.target.id)"
    onmouseenter="this.insertAdjacentHTML('beforeend', '<button id=remove style=position:absolute;left:60px;width:80px;top:0;bottom:0>Remove</button>')"
    aria-label=Row></div>`);
  await click(stage, "#row");
  expect(await stage.log()).toEqual(["row"]);
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
  expect(await errorOf(click(stage, "button"))).toMatchObject({
    kind: "covered",
    details: { cover: { role: "alert" } },
  });
  expect(await stage.log()).toEqual([]);
});

test("an overlay that comes and goes is waited out", async () => {
  await stage.show(`<button onclick="say('saved')">Save</button><script>
    addEventListener("mousemove", () => { const cover = document.createElement("div"); cover.style = "position: fixed; inset: 0";
      document.body.append(cover); addEventListener("pointerup", () => cover.remove());
      setTimeout(() => cover.remove(), 20); }, { once: true });</script>`);
  await click(stage, "button");
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
  expect(await errorOf(click(stage, "button"))).toMatchObject({ kind: "stale_ref" });
  expect(await stage.log()).toEqual([]);
});

test("a name that only the style of hovering adds to is no other name", async () => {
  await stage.show(
    `<style>button:hover::after { content: " now" }</style><button onclick="say('saved')">Save</button>`,
  );
  await click(stage, "button");
  expect(await stage.log()).toEqual(["saved"]);
});

test("an element replaced while the mouse is down is reported, with its successor", async () => {
  await stage.show(`<div id=box></div><script>const make = () => { box.innerHTML = "<button>Save</button>";
    box.firstChild.onmousedown = make; box.firstChild.onclick = () => say("clicked"); }; make();</script>`);
  const error = await errorOf(click(stage, "button"));
  expect(error).toMatchObject({ kind: "detached", hint: expect.stringMatching(/@e\d+/) });
  expect(await stage.log()).toEqual([]);
});

test("a menu item that acts and goes when the mouse comes down has been pressed", async () => {
  await stage.show(`<div role=menu><div role=menuitem onmousedown="say('chosen'); this.parentNode.remove()">Open</div></div>
    <button onclick="say('wrong')">Below</button>`);
  await click(stage, "role=menuitem[name=Open]");
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

test("the guard lets go after the press", async () => {
  await stage.show(`<button onclick="say('saved')">Save</button><p onclick="say('paragraph')">text</p>`);
  await click(stage, "button");
  await stage.tab.page.click("p");
  expect(await stage.log()).toEqual(["saved", "paragraph"]);
});

test("a page that was written anew is guarded as before, and pressed once", async () => {
  await stage.show("<p>old</p>");
  await stage.ref("p");
  await stage.tab.page.setContent(
    `<button onclick="log.push('saved')" onmousemove="this.textContent = 'Delete'">Archive</button><button id=b onclick="log.push('b')">B</button>`,
  );
  expect(await errorOf(click(stage, "role=button[name=Archive]"))).toMatchObject({ kind: "stale_ref" });
  await click(stage, "#b");
  expect(await stage.log()).toEqual(["b"]);
});

test.each([
  ["onmouseover", "document.write(B)"],
  ["onmousemove", "document.open(); document.write(B); document.close()"],
  ["onpointerover", "document.open(); document.write(B); document.close()"],
])("a page that is written anew under the mouse, at its %s, takes no press", async (handler, script) => {
  const box = "position: fixed; left: 20px; top: 20px; width: 300px; height: 200px";
  const other = `<button style="${box}" onpointerdown="top.heard.push('down')" onclick="top.heard.push('click')">Delete</button>`;
  await stage.show(
    `<script>window.heard = []; window.B = ${JSON.stringify(other)};</script><button style="${box}" ${handler}="${script}">Cancel</button>`,
  );
  await stage.tab.page.mouse.move(700, 500);
  await errorOf(click(stage, "role=button[name=Cancel]"));
  expect(await stage.tab.page.evaluate("[document.body.innerText.trim(), window.heard]")).toEqual(["Delete", []]);
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
