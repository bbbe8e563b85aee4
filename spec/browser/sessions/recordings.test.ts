/** Recordings of a tab that crashes, and of one whose video is being made by a page that does. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Gate } from "../../harness/gate.ts";
import { Site } from "../../harness/site.ts";

let gate: Gate;
let site: Site;

beforeAll(async () => {
  gate = await Gate.open();
  site = await Site.serve({ "/": "<!doctype html><title>Here</title><h1>Here</h1>" });
});

beforeEach(async () => {
  await gate.call(gate.root, "goto", { url: site.url });
  await gate.call(gate.root, "record.start");
});

afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Ends the process of the page there. */
async function crash(url: string): Promise<void> {
  const browser = await gate.sessions.browser();
  const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
  const page = pages.find((candidate) => candidate.url().startsWith(url));
  if (!page) throw new Error(`No page is at ${url}`);
  const crashed = page.waitForEvent("crash");
  const cdp = await page.context().newCDPSession(page);
  // It is not answered.
  cdp.send("Page.crash").catch(() => undefined);
  await crashed;
}

const stop = async () => await gate.call(gate.root, "record.stop", { force: true, path: "film.webm" });

it("write the film of a tab that has crashed, at once", async () => {
  await crash(site.url);
  expect(await gate.refusal(gate.root, "title")).toBe("tab_gone");
  expect(await gate.refusal(gate.root, "record.start")).toBe("tab_gone");
  expect(await stop()).toMatchObject({ width: 1280, ended: "when the tab crashed" });
  expect(await gate.refusal(gate.root, "record.stop")).toBe("not_found");
});

it("are said to be lost when the page that makes the video dies before it made any, and can be begun again", async () => {
  await crash("https://video.invalid/");
  await expect(stop()).rejects.toMatchObject({
    kind: "browser_gone",
    message: expect.stringMatching(/^The recording of tab t\d+ is lost: the page that made the video died$/),
  });
  await gate.call(gate.root, "record.start");
  expect(await stop()).not.toHaveProperty("ended");
});

it("end with the last picture that was made before that page died", async () => {
  // The encoder keeps the first ones back for a while.
  const code =
    "for (let n = 0; n < 90; n++) { document.body.textContent = n; await new Promise(requestAnimationFrame) }";
  await gate.call(gate.root, "js", { code });
  await crash("https://video.invalid/");
  expect(await stop()).toMatchObject({ ended: "when the page that made the video died" });
});
