import type { BrowserContext } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Tab } from "../../../browser/tabs/tab.ts";
import { lagging } from "./lagging.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
let context: BrowserContext;

beforeAll(async () => {
  stage = await openStage();
  context = stage.tab.page.context();
  const open = context.newCDPSession;
  context.newCDPSession = async (of) => lagging(await open.call(context, of), "mainFrame" in of ? 250 : 600);
});
afterAll(() => stage[Symbol.asyncDispose]());

test.each([
  ["the page", () => ""],
  ["a frame", () => `<iframe src="${stage.origin}/frame"></iframe>`],
  ["a frame that another process draws", () => `<iframe src="${stage.other}/frame"></iframe>`],
])("what %s has asked for is told, however late its session tells", async (_whose, html) => {
  await stage.show(html());
  const page = await context.newPage();
  const tab = new Tab(page, { id: "t9", session: "test", dialogPolicy: () => "accept" });
  await page.goto(stage.origin);
  const frame = page.frames().at(-1)!;
  await tab.frameSessions.of(frame, "a document");
  await tab.frameSessions.untilTold([frame]);
  const asked: string[] = [];
  tab.events.on("navigationRequested", ({ url }) => asked.push(new URL(url).pathname));
  await frame.evaluate("void (location.href = '/slow')");
  expect(asked).toEqual([]);
  await tab.frameSessions.untilTold([frame]);
  expect(asked).toEqual(["/slow"]);
});
