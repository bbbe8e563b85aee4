/** `aria-owns`: what it moves is read once, under its owner, and nothing is ever lost to it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderSnapshot } from "../../refs/snapshot/render.ts";
import { takeSnapshot } from "../../refs/snapshot/snapshot.ts";
import { openStage, type Stage } from "./act/stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

const LIST = `<div role="listbox" id="list" aria-label="List"><div role="option">One</div></div>`;

test.each<[owner: string, html: string, tree: string[]]>([
  [
    "an element moves it under itself",
    `<div role="group" aria-label="Owner" aria-owns="b a"></div><p>between</p><button id="a">A</button><button id="b">B</button>`,
    [`[group] "Owner"`, `  [button] "B"`, `  [button] "A"`, `[paragraph]: "between"`],
  ],
  [
    "a field cannot hold it",
    `<input role="combobox" aria-label="Combo" aria-expanded="true" aria-owns="list">${LIST}`,
    [`[combobox] "Combo" expanded`, `[listbox] "List"`, `  [option] "One"`],
  ],
  [
    "what is hidden cannot show it",
    `<div hidden role="group" aria-owns="list">x</div>${LIST}`,
    [`[listbox] "List"`, `  [option] "One"`],
  ],
  [
    "two owners share it: the first has it",
    `<div role="group" aria-label="1" aria-owns="list"></div><div role="group" aria-label="2" aria-owns="list"></div>${LIST}`,
    [`[group] "1"`, `  [listbox] "List"`, `    [option] "One"`, `[group] "2"`],
  ],
  [
    "an element owns what it is in",
    `<div role="group" aria-label="Out" id="out"><div role="group" aria-label="In" aria-owns="out"><button>x</button></div></div>`,
    [`[group] "Out"`, `  [group] "In"`, `    [button] "x"`],
  ],
  [
    "two own each other",
    `<div role="group" aria-label="1" id="one" aria-owns="two"></div><div role="group" aria-label="2" id="two" aria-owns="one"><button>x</button></div>`,
    [`[group] "1"`, `  [group] "2"`, `    [button] "x"`],
  ],
])("when %s", async (_, html, tree) => {
  await stage.show(`<style>[role=group] { min-height: 9px }</style>${html}`);
  const [, ...lines] = renderSnapshot(await takeSnapshot(stage.tab, { signal: stage.signal })).split("\n");
  expect(lines.map((line) => line.replace(/@e\d+ /, ""))).toEqual(tree);
});
