import { afterAll, beforeAll, expect, test } from "vitest";
import { openStage, type Stage } from "../../refs/act/stage.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage[Symbol.asyncDispose]());

test("a page that we end, in the middle of a script too, leaves a tab that says why until it goes on in another page", async () => {
  const { tab } = stage;
  await stage.show("<h1>Loud</h1>");
  const crashed = tab.page.waitForEvent("crash");
  await tab.page.evaluate("void setTimeout(() => { for (;;); })");
  tab.endPage("it said 300 MB at once");
  await crashed;
  expect(() => tab.assertOpen()).toThrow("Tab t1 was ended by browse: it said 300 MB at once");
  expect(tab.capture.console.since(0).map(({ value }) => value.text)).toEqual([
    "browse ended this page: it said 300 MB at once",
  ]);
  const page = await tab.page.context().newPage();
  const cdp = await page.context().newCDPSession(page);
  tab.moveTo({ page, metrics: tab.metrics, cdp: async () => cdp });
  expect(() => tab.assertOpen()).not.toThrow();
});
