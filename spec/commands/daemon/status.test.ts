import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";
import { version } from "../../harness/version.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": "<!doctype html><title>Here</title><button>Go</button>" });
  project = await SharedProject.open();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("status", () => {
  it("tells of the daemon, its browser and its sessions", async () => {
    const status = await project.json("status");
    const daemon = project.daemon()!;
    expect(status).toMatchObject({
      pid: daemon.pid,
      port: daemon.port,
      version,
      browser: "running",
      headed: false,
      stateDir: project.stateDir,
      sessions: [{ name: "default", tabs: 1 }],
    });
    expect(JSON.stringify(status)).not.toContain(daemon.token);
    const text = await project.run("status");
    expect(text).toContain(`pid ${daemon.pid}, port ${daemon.port}`);
    expect(text).toContain("default (1 tab)");
  });

  it("starts no browser, while `start` does", async () => {
    await using other = new Project();
    expect(await other.json("status")).toMatchObject({ browser: "none", sessions: [] });
    expect(await other.run("start")).toMatch(/^Running: daemon \d+ on port \d+, Chromium \d+\./);
    expect(await other.json("status")).toMatchObject({ browser: "running" });
  });
});
