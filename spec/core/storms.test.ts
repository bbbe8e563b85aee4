/** A page that does something without end: the others are not hurt, it is told of, and its tab can be closed. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { OpenConnection } from "../../bench/connection.ts";
import { stormPage } from "../../bench/pages/storms.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

const WAIT = { timeout: 50_000, interval: 100 };
const FRAMES = 30;
const POP_UPS = 30;

let site: Site;
let project: Project;
let connection: OpenConnection;
/** A quiet tab. */
let other: string;

beforeAll(async () => {
  const storms = (["console", "busy", "downloads"] as const).map((name) => [`/${name}`, stormPage(name) ?? ""]);
  site = await Site.serve({
    ...Object.fromEntries(storms),
    "/loop": `<!doctype html><p>Below the loop</p><script>
      onload = () => setTimeout(() => { const line = "x".repeat(20000); while (true) console.log(line) })</script>`,
    "/": "<!doctype html><title>Quiet</title><p>Nothing happens here",
    "/opens": `<!doctype html><title>Opens</title>
      <button onclick="for (let i = 0; i < ${POP_UPS}; i++) window.open('about:blank')">Open many</button>
      <button onclick="for (let i = 0; i < 12; i++) alert(i)">Say much</button>`,
    "/frames": `<!doctype html><title>Frames</title>${'<iframe src="/frame"></iframe>'.repeat(FRAMES)}`,
    "/frame": "<!doctype html><button>In the frame</button>",
  });
  project = new Project();
  ({ id: other } = (await project.json("newtab", `${site.url}/`)) as { id: string });
  connection = await OpenConnection.open(project.daemon()!);
});
afterAll(async () => {
  connection[Symbol.dispose]();
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
afterEach(async () => void (await project.run("closetab", other, "--others")));

async function tabs(): Promise<string[]> {
  const { tabs: open } = await project.json("tabs");
  return (open as { id: string }[]).map(({ id }) => id);
}

async function openStorm(path: string): Promise<string> {
  const { id } = (await project.json("newtab")) as { id: string };
  await project.cli(["goto", `${site.url}${path}`, "--tab", id, "--timeout", "5s"]);
  return id;
}

/** What has been told of a tab. */
async function told<Data>(tab: string, topic: string): Promise<Data[]> {
  const { events } = await connection.call("events.history", { topics: [topic], limit: 1_000, filter: { tab } });
  return (events as { data: Data }[]).map(({ data }) => data);
}

/** What browse has put into the tab's console. */
async function warningsOf(tab: string): Promise<string[]> {
  const filter = { tab, level: "warning" };
  const { events } = await connection.call("events.history", { topics: ["console"], limit: 1_000, filter });
  return (events as { data: { text: string } }[]).map(({ data }) => data.text);
}

const lifeOf = async (tab: string) => await told<Record<string, unknown>>(tab, "page");

/** Storms take what the machine has: on a busy one they take their time. */
const LONG = { timeout: 90_000 };

describe("A page in a storm", LONG, () => {
  it("is held back by the browser when it changes its address without end", async () => {
    const code = `for (let i = 1; i <= 1000; i++) history.pushState(0, "", "?" + i); location.search`;
    expect(await project.run("js", code)).toContain("?200");
    await project.run("goto", `${site.url}/`);
  });

  it("is slowed down when it logs without end, which its console says", async () => {
    const tab = await openStorm("/console");
    await expect.poll(async () => await lifeOf(tab), WAIT).toContainEqual(expect.objectContaining({ event: "slowed" }));
    expect(await project.run("text", "--tab", other)).toContain("Nothing happens here");
    await project.run("closetab", tab);
    expect(await tabs()).toEqual([other]);
  });

  it("has its script ended when that logs without a pause, and can be used then", async () => {
    const tab = await openStorm("/loop");
    await expect
      .poll(async () => await lifeOf(tab), WAIT)
      .toContainEqual(expect.objectContaining({ event: "scriptEnded" }));
    expect(await project.run("text", "--tab", tab)).toContain("Below the loop");
    expect(await warningsOf(tab)).toContainEqual(expect.stringContaining("browse has ended a script of this page"));
  });

  it("has the tabs closed that it opens beyond 20, which is told", async () => {
    const tab = await openStorm("/opens");
    await project.run("click", "text=Open many", "--tab", tab);
    const closed = async () => {
      const counts = (await lifeOf(tab)).filter(({ event }) => event === "popUpsClosed");
      return counts.reduce((sum, { count }) => sum + Number(count), 0);
    };
    // Each minute allows as many again, and a busy machine takes some seconds to open them.
    await expect.poll(async () => (await closed()) + (await tabs()).length - 2, WAIT).toBe(POP_UPS);
    expect(await closed()).toBeGreaterThan(POP_UPS / 4);
    expect(await project.run("console", "--tab", tab)).toContain("of this page, which opens more than 20 a minute");
  });

  it("has the first dialogs of an action told, and how many more there were", async () => {
    const tab = await openStorm("/opens");
    const { effect } = (await project.json("click", "text=Say much", "--tab", tab)) as {
      effect: { dialogs: unknown[]; moreDialogs?: number };
    };
    expect([effect.dialogs.length, effect.moreDialogs]).toEqual([10, 2]);
  });

  it("downloads 20 files, which only the user can read, and is refused the next ones", async () => {
    const tab = await openStorm("/downloads");
    const downloads = async () => await told<{ event: string; path?: string; failure?: string }>(tab, "download");
    await expect.poll(downloads, WAIT).toContainEqual(
      expect.objectContaining({
        event: "failed",
        failure: "Pages of this session download more than 20 files a minute",
      }),
    );
    await expect
      .poll(async () => (await downloads()).filter(({ event }) => event === "finished").length, WAIT)
      .toBe(20);
    const paths = (await downloads()).flatMap(({ path }) => path ?? []);
    expect(new Set(paths).size).toBe(20);
    for (const path of paths) expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

describe("A tab is closed", LONG, () => {
  it("while its page runs a script without end", async () => {
    const tab = await openStorm("/busy");
    await project.run("closetab", tab, "--timeout", "5s");
    expect(await tabs()).toEqual([other]);
  });

  it("while the browser does not answer, and stays closed when it does", async () => {
    const { id } = (await project.json("newtab", `${site.url}/`)) as { id: string };
    const { browsers } = JSON.parse(readFileSync(join(project.stateDir, "browser.json"), "utf8")) as {
      browsers: [{ identity: { pid: number } }];
    };
    const { pid } = browsers[0].identity;
    process.kill(pid, "SIGSTOP");
    try {
      expect(await project.run("closetab", id, "--timeout", "5s")).toBe(`Closed ${id}, now on ${other}`);
      expect(await tabs()).toEqual([other]);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    expect(await project.run("text", "--tab", other)).toContain("Nothing happens here");
    expect(await tabs()).toEqual([other]);
  });

  it("with all others of its session by --others, which leaves the one that stays current", async () => {
    const { id: second } = await project.json("newtab");
    const { id: third } = await project.json("newtab");
    expect(await project.run("closetab", other, "--others")).toBe(`Closed ${second}, ${third}, now on ${other}`);
    expect(await project.run("closetab", "--others")).toBe(`Closed nothing, now on ${other}`);
    expect(await tabs()).toEqual([other]);
  });
});

it("The first snapshot of a page with many frames has what is in each", LONG, async () => {
  const { id } = (await project.json("newtab", `${site.url}/frames`)) as { id: string };
  await project.run("wait", "--load", "--tab", id);
  const { nodes } = await project.json("snapshot", "-i", "--tab", id);
  const buttons = (nodes as { name: string }[]).filter(({ name }) => name === "In the frame");
  expect(buttons).toHaveLength(FRAMES);
});
