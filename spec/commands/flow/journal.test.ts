import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><label>City <input id="city"></label><button id="go" onclick="document.title = 'Pressed'">Go</button><ul id="list"><li>One</li></ul>`,
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

describe("journal", () => {
  interface Entry {
    time: string;
    command: string;
    outcome: string;
    session?: string;
    tab?: string;
    params: Record<string, unknown>;
  }

  async function entries(...argv: string[]): Promise<Entry[]> {
    return ((await project.json("journal", ...argv)) as unknown as { entries: Entry[] }).entries;
  }

  it("shows the calls, the failed ones too, with their secrets redacted", async () => {
    await project.run("fill", "#city", "hunter2-typed");
    await project.cli(["click", "#nowhere"]);
    expect(await entries("--last", "2")).toMatchObject([
      { command: "fill", outcome: "ok", session: "default", tab: expect.stringMatching(/^t\d+$/) },
      { command: "click", outcome: "not_found", params: { target: "#nowhere" } },
    ]);
    expect(await project.run("journal")).not.toContain("hunter2-typed");
  });

  it("shows those since a time, of a session, the newest so many", async () => {
    const all = await entries("--last", "10000");
    await project.title();
    const newer = await entries("--since", all.at(-1)!.time);
    expect(newer.map(({ command }) => command)).toEqual(expect.arrayContaining(["title"]));
    expect(newer.length).toBeLessThan(all.length);
    await project.run("goto", site.url, "--session", "apart");
    const apart = await entries("--session", "apart");
    expect(apart.map(({ command, session }) => [command, session])).toEqual([["goto", "apart"]]);
    expect(await entries("--since", "1h", "--last", "1")).toHaveLength(1);
    expect(await entries("--since", "2100-01-01")).toEqual([]);
  });

  it("does without a browser, and refuses times that are none", async () => {
    await using fresh = new Project();
    expect(await fresh.run("journal", "--since", "1ms")).toBe("No calls");
    expect(await fresh.json("status")).toMatchObject({ browser: "none" });
    expect(await project.refusal("journal", "--since", "yesterday")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    expect(await project.refusal("journal", "--since", "2030-99-99")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    expect(await project.refusal("journal", "--last", "0")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});
