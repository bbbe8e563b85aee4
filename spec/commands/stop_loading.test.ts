/** Loads whose server never answers: what is known of them, and how they are broken off. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Project } from "../harness/project.ts";
import { SharedProject } from "../harness/shared_project.ts";
import { Site } from "../harness/site.ts";

let site: Site;
let project: Project;
/** Never answers. */
let silent: string;
/** How often it had been asked for when the test began. */
let before: number;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><h1>Home</h1><a href="/silent">Leave</a>
      <button onclick="window.open('/silent')">Open</button><button onclick="window.open('/popup')">Pop</button>
      <a href="/silent?apart" target="_blank" rel="noopener">Apart</a>`,
    "/popup": "<!doctype html><title>Popup</title>",
    "/slow": "<!doctype html><title>Slow</title><h1>Slow</h1><img src='/silent'>",
    "/silent": () => undefined,
    "/silent?apart": () => undefined,
  });
  silent = `${site.url}/silent`;
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.run("goto", site.url);
  before = site.requests.filter((line) => line.includes("/silent")).length;
});

/** Resolves once the silent address has been asked for so often. */
async function asked(times: number): Promise<void> {
  const requests = () => site.requests.filter((line) => line.includes("/silent"));
  await expect.poll(requests).toHaveLength(before + times);
}

/** As the page itself begins it: a command would wait for it. */
async function leave(): Promise<void> {
  await project.run("js", "document.querySelector('a').click()");
  await asked(1);
}

test("a load that is broken off leaves the tab on its page, which can be read", async () => {
  await leave();
  expect(await project.refusal("text", "--timeout", "500")).toMatchObject({
    kind: "timeout",
    message: expect.stringContaining(`${silent} is still loading`),
    hint: expect.stringContaining("`browse stop-loading`"),
  });
  expect(await project.run("stop-loading")).toBe(`Stopped loading ${silent}: the tab stays on ${site.url}/`);
  expect(await project.run("text")).toContain("Home");
  expect(await project.run("stop-loading")).toBe(`Nothing was loading: the tab is on ${site.url}/`);
});

test("whoever waits for the load is told that it was broken off", async () => {
  const going = project.refusal("goto", silent);
  await asked(1);
  expect(await project.json("stop-loading")).toMatchObject({ url: `${site.url}/`, stopped: silent });
  expect(await going).toMatchObject({ kind: "navigation_failed", message: expect.stringContaining("broken off") });
});

test("parts of a page that are missing are not waited for any longer", async () => {
  await project.run("goto", `${site.url}/slow`);
  expect(await project.run("stop-loading")).toBe(`Stopped loading the rest of ${site.url}/slow`);
  expect(await project.refusal("wait", "--load")).toMatchObject({ kind: "navigation_failed" });
  expect(await project.run("stop-loading")).toMatch(/^Nothing was loading/);
  expect(await project.run("text")).toBe("Slow");
});

test("tabs whose servers do not answer are listed, and closed", async () => {
  await project.run("js", "document.querySelector('button').click()");
  await project.run("click", "text=Apart", "--no-settle");
  await asked(2);
  const [home] = (await project.json("tabs")).tabs as { opening?: string[] }[];
  expect(home?.opening).toEqual([silent, `${silent}?apart`]);
  expect(await project.run("tabs")).toContain(`(opening ${silent}, ${silent}?apart, not there yet)`);
  expect(await project.run("stop-loading")).toBe(`Closed 2 tabs that had not answered: ${silent}, ${silent}?apart`);
  expect(await project.run("tabs")).not.toContain("opening");
  expect((await project.json("tabs")).tabs).toHaveLength(1);
});

test("tabs that have come are none of them", async () => {
  expect(await project.run("click", "text=Pop")).toContain("opened t");
  expect(await project.run("tabs")).not.toContain("not there yet");
  expect(await project.run("stop-loading")).toMatch(/^Nothing was loading/);
  expect((await project.json("tabs")).tabs).toHaveLength(2);
});
