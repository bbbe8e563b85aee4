import { afterAll, beforeAll, expect, test } from "vitest";
import { changeStyle, styleChanges, undoStyles } from "../../../commands/inspect/styles/_style_change.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test("the last 200 changes of a tab can be taken back, and no more", async () => {
  await stage.show(`<main><button>Buy</button></main>`);
  const { tab, signal } = stage;
  const button = await stage.ref("button");
  for (let index = 0; index < 205; index++) {
    await changeStyle(tab, button, { property: "word-spacing", value: `${index}px`, important: false });
  }
  const changes = styleChanges(tab);
  expect(changes).toHaveLength(200);
  expect(changes[0]).toMatchObject({ id: 6, before: "4px", after: "5px" });
  expect(changes.at(-1)).toMatchObject({ id: 205, before: "203px", after: "204px" });
  expect((await undoStyles(tab, 300, signal)).undone).toHaveLength(200);
  expect(await tab.page.locator("button").getAttribute("style")).toBe("word-spacing: 4px;");
  expect(styleChanges(tab)).toEqual([]);
});
