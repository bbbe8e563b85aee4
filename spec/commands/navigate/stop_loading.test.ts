/** Loads whose server never answers: what is known of them, and how they are broken off. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;
/** Never answers. */
let silent: string;
/** Called when a connection closes on which it was asked for. */
let onClosed = () => {};
/** How often it had been asked for when the test began. */
let before: number;
/** Ends the file that is being sent. */
let endFile = () => {};

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><h1>Home</h1><a href="/silent">Leave</a>
      <button onclick="window.open('/silent')">Open</button><button onclick="window.open('/popup')">Pop</button>
      <form action="/silent" method="post"><button>Send</button></form>
      <button onclick="fetch('/silent', { method: 'POST' }).catch(() => {})">Post</button>
      <a href="/silent?apart" target="_blank" rel="noopener">Apart</a>`,
    "/popup": "<!doctype html><title>Popup</title>",
    "/slow": "<!doctype html><title>Slow</title><h1>Slow</h1><img src='/silent'>",
    "/silent": (request) => {
      request.socket.once("close", () => onClosed());
    },
    "/silent?below": (request) => {
      request.socket.once("close", () => onClosed());
    },
    "/led": (_request, response) => response.writeHead(302, { location: "/popup" }).end(),
    "/silent?apart": () => undefined,
    "/file": (_request, response) => {
      const headers = {
        "content-type": "application/octet-stream",
        "content-disposition": "attachment; filename=a.bin",
      };
      response.writeHead(200, headers).write(Buffer.alloc(10_000));
      endFile = () => void response.end();
    },
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

/** An address at which nobody listens. */
async function unused(): Promise<string> {
  await using gone = await Site.serve({});
  return gone.url;
}

test("a load that is broken off leaves the tab on its page, which can be read", async () => {
  await leave();
  expect(await project.run("tabs")).toContain(`${site.url}/ (loading ${silent}, not there yet)`);
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
  expect(await project.json("stop-loading")).toMatchObject({
    url: `${site.url}/`,
    stopped: { method: "GET", url: silent },
  });
  expect(await going).toMatchObject({ kind: "navigation_failed", message: expect.stringContaining("broken off") });
});

test("parts of a page that are missing are not waited for any longer", async () => {
  await project.run("goto", `${site.url}/slow`);
  await asked(1);
  expect(await project.run("stop-loading")).toBe(`Stopped loading the rest of ${site.url}/slow\nBroke off ${silent}`);
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
  expect(await project.run("stop-loading")).toBe(`Closed 2 tabs that had not come: ${silent}, ${silent}?apart`);
  expect(await project.run("tabs")).not.toContain("opening");
  expect((await project.json("tabs")).tabs).toHaveLength(1);
});

test("tabs that have come are none of them", async () => {
  expect(await project.run("click", "text=Pop")).toContain("opened t");
  expect(await project.run("tabs")).not.toContain("not there yet");
  expect(await project.run("stop-loading")).toMatch(/^Nothing was loading/);
  expect((await project.json("tabs")).tabs).toHaveLength(2);
});

test("a download goes on, which is said", async () => {
  const told = async () => await project.run("events", "download", "--history", "--for", "200ms");
  await project.run("js", "location.href = '/file'");
  await expect.poll(told).toContain("started name=a.bin");
  expect(await project.run("stop-loading")).toMatch(/^Nothing was loading.*\ndownload "a\.bin" goes on/);
  expect(await project.json("stop-loading")).toMatchObject({ downloads: [{ name: "a.bin", url: `${site.url}/file` }] });
  endFile();
  await expect.poll(told, { timeout: 10_000 }).toContain("finished name=a.bin");
  expect(await project.run("stop-loading")).not.toContain("goes on");
});

test("what was sent may have been carried out, which is said of forms and of the page's own requests", async () => {
  await project.run("js", "document.querySelector('form').submit()");
  await asked(1);
  expect(await project.run("stop-loading")).toBe(
    `Stopped loading POST ${silent} (it may have been carried out): the tab stays on ${site.url}/`,
  );
  await project.run("js", "fetch('/silent', { method: 'POST' }).catch(() => {}); 1");
  await asked(2);
  expect(await project.run("stop-loading")).toBe(`Broke off POST ${silent} (it may have been carried out)`);
});

test("a tab that is opened meanwhile is taken for none of them, nor said to have been opened by the page", async () => {
  await project.run("js", "document.querySelector('button').click()");
  await asked(1);
  await project.run("newtab", `${site.url}/popup`);
  const [home, opened] = (await project.json("tabs")).tabs as { id: string; opening?: string[] }[];
  expect(home?.opening).toEqual([silent]);
  await project.run("tab", String(home?.id));
  expect(await project.run("stop-loading")).toBe(`Closed 1 tab that had not come: ${silent}`);
  await project.run("closetab", String(opened?.id));
});

test("a tab that is closed takes those along that it has asked for", async () => {
  const { id } = await project.json("newtab", site.url);
  // Nobody sees the one, and its scripts run all the same.
  await project.run("js", "window.open('/silent').eval('open(`/silent?below`)')");
  await asked(2);
  let ended = 0;
  onClosed = () => ended++;
  await project.run("closetab", String(id));
  await expect.poll(() => ended).toBe(2);
});

test("where one was led elsewhere first, the other is still known", async () => {
  const open = async () => ((await project.json("tabs")).tabs as unknown[]).length;
  const others = await open();
  await project.run("js", "window.open('/silent'); setTimeout(() => window.open('/led'), 100)");
  await expect.poll(open).toBe(others + 1);
  expect(await project.run("tabs")).toContain(`(opening ${silent}, not there yet)`);
  expect(await project.run("stop-loading")).toContain(`Closed 1 tab that had not come: ${silent} →`);
});

test("an action whose load, or sending, was broken off says so, and not that nothing changed", async () => {
  const submitting = project.run("click", "text=Send");
  await asked(1);
  await project.run("stop-loading");
  expect(await submitting).toContain(
    `→ POST ${silent} was broken off before it was answered: it may have been carried out`,
  );
  const posting = project.json("click", "text=Post");
  await asked(2);
  await project.run("stop-loading");
  const { effect } = await posting;
  expect(effect).toMatchObject({ brokenOff: [{ method: "POST", url: silent }] });
  expect(effect).not.toHaveProperty("nothing");
});

test("where the page waits for an answer, an action's outcome is looked for by what does not ask the page", async () => {
  const refusal = await project.refusal("click", "text=Leave", "--timeout", "1500");
  expect(refusal).toMatchObject({ kind: "outcome_unknown", hint: expect.stringContaining("`browse stop-loading`") });
  expect(refusal.hint).not.toContain("browse snapshot");
  await project.run("stop-loading");
});

test("what never reached a server is not said to have been carried out, perhaps", async () => {
  const { port } = new URL(await unused());
  await project.run("js", `document.querySelector("form").action = "http://127.0.0.1:${port}/"`);
  const told = await project.run("click", "text=Send");
  expect(told).toContain(`→ could not load http://127.0.0.1:${port}/: `);
  expect(told).not.toContain("carried out");
});
