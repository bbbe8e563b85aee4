import { afterAll, beforeAll, expect, test } from "vitest";
import { hover } from "../../../refs/act/click.ts";
import { drag } from "../../../refs/act/drag.ts";
import { focus } from "../../../refs/act/focus.ts";
import { pressKey, typeText } from "../../../refs/act/keyboard.ts";
import { parseChord } from "../../../refs/act/keys.ts";
import { scroll } from "../../../refs/act/scroll.ts";
import { errorOf, openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test("text and chords go to what has the focus", async () => {
  await stage.show(`<input onkeydown="say(event.key)"><textarea></textarea>`);
  const { tab, signal } = stage;
  await focus(tab, await stage.ref("input"), { signal });
  await typeText(tab, "aB", { signal, frame: tab.page.mainFrame(), ref: undefined });
  await pressKey(tab, "Control+a", { signal });
  await pressKey(tab, "Backspace", { signal });
  await pressKey(tab, "Shift+Tab", { signal });
  expect(await stage.log()).toEqual(["a", "B", "Control", "a", "Backspace", "Shift", "Tab"]);
  expect(await tab.page.inputValue("input")).toBe("");
});

test("what cannot have the focus says so", async () => {
  await stage.show(`<p>text</p>`);
  expect(await errorOf(focus(stage.tab, await stage.ref("p"), { signal: stage.signal }))).toMatchObject({
    kind: "invalid_params",
  });
});

test.each([
  ["enter", "Enter"],
  ["Ctrl+A", "Control"],
  ["ArowDown", "ArrowDown"],
  ["esc", "Escape"],
  ["Return", "Enter"],
  ["pagedwn", "PageDown"],
])("%s is no key name, and %s is suggested", (wrong, right) => {
  expect(() => parseChord(wrong)).toThrowError(
    expect.objectContaining({ kind: "invalid_params", details: { suggestion: right } }),
  );
});

test.each(["", "A+B", "Shift+Nonsense", "Control+"])("%o is no chord", (wrong) => {
  expect(() => parseChord(wrong)).toThrowError(expect.objectContaining({ kind: "invalid_params" }));
});

test("a plus can be pressed, alone and with others held", () => {
  expect(["+", "Shift++", "Control+A", "F5"].map(parseChord)).toEqual(["+", "Shift++", "Control+a", "F5"]);
});

test("hovering shows what it shows", async () => {
  await stage.show(`<button onmouseenter="say('in')">Menu</button>`);
  await hover(stage.tab, await stage.ref("button"), { signal: stage.signal });
  expect(await stage.log()).toEqual(["in"]);
});

const atRest = async () => {};

test("the page scrolls by, to, and says when it is at the end", async () => {
  await stage.show(`<div style="height: 2000px">x</div>`);
  const { tab, signal } = stage;
  expect(await scroll(tab, undefined, { by: 300, signal, atRest })).toMatchObject({ by: 300, top: 300, atEnd: false });
  expect(await scroll(tab, undefined, { by: -1000, signal, atRest })).toMatchObject({ by: -300, atEnd: true });
  expect(await scroll(tab, undefined, { to: "bottom", signal, atRest })).toMatchObject({ atEnd: true });
  expect(await scroll(tab, undefined, { to: "top", signal, atRest })).toMatchObject({ top: 0, atEnd: true });
  expect(await scroll(tab, undefined, { by: 100, times: 3, signal, atRest })).toMatchObject({ by: 300, times: 3 });
});

test("where something in a pane is brought into view, the pane that moved says where it stands", async () => {
  await stage.show(`<main style="height: 200px; overflow: auto"><div style="height: 1000px"></div><button>Far</button>
    <div style="height: 1000px"></div></main>`);
  const moved = await scroll(stage.tab, await stage.ref("button"), { signal: stage.signal, atRest });
  const top = await stage.tab.page.evaluate(() => Math.round(document.querySelector("main")?.scrollTop ?? 0));
  expect(top).toBeGreaterThan(800);
  expect(moved).toMatchObject({ by: top, top });
});

test("a pane scrolls, named or in the middle of a page that does not", async () => {
  await stage.show(
    `<body style="margin: 0; height: 100vh; overflow: hidden"><main style="height: 100vh; overflow: auto"><p style="height: 3000px">x</p></main>`,
  );
  const { tab, signal } = stage;
  expect(await scroll(tab, undefined, { by: 200, signal, atRest })).toMatchObject({ by: 200 });
  expect(await scroll(tab, await stage.ref("main"), { by: 100, signal, atRest })).toMatchObject({ by: 100, top: 300 });
});

test("something far down comes into view", async () => {
  await stage.show(`<div style="height: 2000px"></div><button>Save</button>`);
  const moved = await scroll(stage.tab, await stage.ref("button"), { signal: stage.signal, atRest });
  expect(moved.by).toBeGreaterThan(1000);
});

test("an element is dragged by the mouse", async () => {
  await stage.show(`<style>#a, #b { position: absolute; width: 60px; height: 60px; background: teal } #b { left: 400px; top: 300px; z-index: -1 }</style>
    <div id=a>A</div><div id=b>B</div><script>
    a.onpointerdown = (event) => { say("down"); a.setPointerCapture(event.pointerId);
      a.onpointermove = ({ pageX, pageY }) => { a.style.left = pageX - 30 + "px"; a.style.top = pageY - 30 + "px"; };
      a.onpointerup = () => { a.onpointermove = null; const at = a.getBoundingClientRect(); say(Math.round(at.x) + "," + Math.round(at.y)); }; };</script>`);
  await drag(stage.tab, await stage.ref("#a"), await stage.ref("#b"), { signal: stage.signal });
  expect(await stage.log()).toEqual(["down", "400,300"]);
});

test("an element is dragged by the browser's drag and drop, with its data", async () => {
  await stage.show(`<div id=a draggable=true style="width: 100px">A</div><div style="height: 200px"></div><div id=b style="height: 100px">B</div><script>
    a.ondragstart = (event) => event.dataTransfer.setData("text/plain", "payload");
    b.ondragover = (event) => event.preventDefault();
    b.ondrop = (event) => { event.preventDefault(); say("drop " + event.dataTransfer.getData("text/plain")); };
    a.ondragend = () => say("end");</script>`);
  await drag(stage.tab, await stage.ref("#a"), await stage.ref("#b"), { signal: stage.signal });
  expect(await stage.log()).toContain("drop payload");
  await stage.tab.page.mouse.click(10, 10);
});

test("a covered element is not dragged", async () => {
  await stage.show(
    `<div id=a>A</div><div id=b>B</div><div role=alert style="position: fixed; inset: 0" onpointerdown="say('wrong')">x</div>`,
  );
  const error = await errorOf(drag(stage.tab, await stage.ref("#a"), await stage.ref("#b"), { signal: stage.signal }));
  expect(error.kind).toBe("covered");
  expect(await stage.log()).toEqual([]);
});
