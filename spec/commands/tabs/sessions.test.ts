import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Shop</title>",
    "/other": "<!doctype html><title>Other</title>",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await project.cli(["session", "close", "default"]);
  await project.run("goto", site.url);
});

interface Tabs {
  tabs: { id: string; url: string; current: boolean }[];
}

async function tabs(...flags: string[]): Promise<Tabs["tabs"]> {
  return ((await project.json("tabs", ...flags)) as unknown as Tabs).tabs;
}

async function js(code: string, ...flags: string[]): Promise<unknown> {
  return (await project.json("js", code, ...flags)).value;
}

describe("sessions", () => {
  it("have cookies, tabs and storage of their own, and are listed, opened and closed", async () => {
    await js("void (document.cookie = 'mine=1')");
    expect(await project.run("session", "new", "shopper")).toContain("use it with --session shopper");
    await project.run("goto", site.url, "--session", "shopper");
    expect(await js("document.cookie", "--session", "shopper")).toBe("");
    expect(await project.run("sessions")).toMatch(/^default: 1 tab, on t\d+\nshopper: 1 tab, on t\d+$/);
    expect(await project.run("session", "close", "shopper")).toBe('Closed the session "shopper" and 1 tab');
    expect(await project.run("sessions")).toMatch(/^default: 1 tab, on t\d+$/);
    expect(await project.title()).toBe("Shop");
  });

  it("begin with a saved state", async () => {
    await project.run("newtab", `${site.url}/other`);
    await project.run("state", "save", "start");
    expect(await project.run("session", "new", "filled", "--state", "start")).toContain("2 tabs");
    expect((await tabs("--session", "filled")).map(({ url }) => url)).toEqual([`${site.url}/`, `${site.url}/other`]);
    await project.run("session", "close", "filled");
  });

  it("are not opened with a state that cannot be read, twice, or under a name that is none", async () => {
    expect(await project.refusal("session", "new", "half", "--state", "missing")).toMatchObject({ kind: "not_found" });
    expect(await project.run("sessions")).not.toContain("half");
    expect(await project.refusal("session", "new", "default")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("session", "new", "../x")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(await project.refusal("session", "close", "nobody")).toMatchObject({ kind: "not_found" });
    expect(await project.refusal("session", "close", "default", "--state", "x")).toMatchObject({ exitCode: 2 });
    expect(await project.refusal("session", "new")).toMatchObject({ exitCode: 2 });
  });
});
