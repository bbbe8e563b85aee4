import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRunning } from "../../harness/is_running.ts";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/good": '<!doctype html><html lang="en"><title>Good</title><main><h1>Lamps</h1><p>Two of them</p></main>',
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("memory", () => {
  interface Memory {
    daemon: { pid: number; rss: number };
    processes: { pid: number; type: string; rss: number }[];
    tabs: {
      tab: string;
      url: string;
      heapUsed?: number;
      nodes?: number;
      buffers: { network: number; console: number };
    }[];
  }
  const memory = async () => (await project.json("memory")) as unknown as Memory;

  it("tells of the daemon, each process of the browser, and each tab", async () => {
    await project.run("newtab", `${site.url}/good`);
    await project.run("js", "kept = new Array(4_000_000).fill(1.5); console.log('one'); 1");
    const { daemon, processes, tabs } = await memory();
    expect(daemon.pid).toBe(project.daemon()!.pid);
    expect(daemon.rss).toBeGreaterThan(10_000_000);
    expect(processes.map(({ type }) => type)).toContain("renderer");
    for (const { pid, rss } of processes) {
      expect(isRunning(pid)).toBe(true);
      expect(rss).toBeGreaterThan(1_000_000);
    }
    const tab = tabs.at(-1)!;
    expect(tab).toMatchObject({ url: `${site.url}/good`, buffers: { console: 1, network: 1, dialogs: 0 } });
    expect(tab.heapUsed).toBeGreaterThan(30_000_000);
    expect(tab.nodes).toBeGreaterThan(5);
    expect(await project.run("memory")).toMatch(/^daemon \d+: [\d.]+ MB, of which/);
  });

  it("does not wait for a tab that hangs, nor for one with a dialog", async () => {
    await project.run("--session", "asked", "goto", `${site.url}/good`);
    await project.run("--session", "asked", "js", "setTimeout(() => { for (;;); }, 0); 1");
    const [{ tabs }, text] = await Promise.all([memory(), project.run("memory")]);
    const hung = tabs.at(-1)!;
    expect(hung).not.toHaveProperty("heapUsed");
    expect(text).toContain(`${hung.tab} (asked) ${site.url}/good: does not answer`);
    await project.run("--session", "asked", "closetab");
  });

  it("starts no browser only to measure it", async () => {
    await using idle = new Project();
    const answer = (await idle.json("memory")) as unknown as Memory;
    expect(answer).toMatchObject({ processes: [], tabs: [] });
    expect(await idle.json("status")).toMatchObject({ browser: "none" });
  });
});
