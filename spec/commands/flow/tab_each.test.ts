import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";
import { json, refusal } from "./flags_first.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": `<!doctype html><title>Home</title><label>City <input id="city"></label><button id="go" onclick="document.title = 'Pressed'">Go</button><ul id="list"><li>One</li></ul>`,
    "/next": "<!doctype html><title>Next</title><h1>Next</h1>",
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

interface Step {
  command: string;
  outcome: string;
  text: string;
  tab?: string;
  result?: Record<string, unknown>;
}

async function tabs(): Promise<{ id: string; current: boolean }[]> {
  return ((await project.json("tabs")) as { tabs: { id: string; current: boolean }[] }).tabs;
}

describe("tab-each", () => {
  it("runs a command in every tab, one line of JSON each, and leaves the current tab current", async () => {
    await project.run("newtab", `${site.url}/next`);
    const before = await tabs();
    await project.run("tab", before[0]!.id);
    const lines = (await project.run("tab-each", "title")).split("\n").map((line) => JSON.parse(line) as Step);
    expect(lines.map(({ tab, command, outcome, result }) => [tab, command, outcome, result])).toEqual([
      [before[0]!.id, "title", "ok", { title: "Home" }],
      [before[1]!.id, "title", "ok", { title: "Next" }],
    ]);
    expect((await tabs()).map(({ current }) => current)).toEqual([true, false]);
  });

  it("passes flags on, and goes on where one tab fails", async () => {
    await project.run("newtab", `${site.url}/next`);
    const click = ["tab-each", "click", "#go", "--modifiers=Shift"];
    const { tabs: steps, failed, exitCode } = await json<{ tabs: Step[]; failed: number }>(project, click);
    expect(steps.map(({ outcome }) => outcome)).toEqual(["ok", "not_found"]);
    expect({ failed, exitCode }).toEqual({ failed: 1, exitCode: 1 });
    const { tabs: values } = await json<{ tabs: Step[] }>(project, ["tab-each", "find", "Next", "--context", "0"]);
    expect(values[1]?.text).toContain("Next");
  });

  it.each([
    ["an unknown command", ["dance"], "unknown_command", "dance"],
    ["a wrong flag", ["scroll", "--sideways"], "invalid_params", "--sideways"],
    ["a blocked address", ["goto", "javascript:alert(1)"], "blocked_url", "javascript:"],
    ["a blocked path", ["screenshot", "/etc/a.png"], "blocked_path", "/etc/a.png"],
    ["a command without a tab", ["tabs"], "invalid_params", "does not work on a tab"],
    ["a chain", ["chain", "click '#go'"], "invalid_params", "cannot hold a chain"],
    ["itself", ["tab-each", "click", "#go"], "invalid_params", "cannot hold another tab-each"],
    ["another tab", ["click", "#go", "--tab", "t1"], "invalid_params", "--tab is given twice"],
    ["another session", ["click", "#go", "--session", "x"], "invalid_params", "--session"],
    ["one file for the answers of all", ["title", "--out", "a.txt"], "invalid_params", "--out stands before tab-each"],
    ["nothing", [], "invalid_params", "command"],
  ])("runs nowhere at all with %s", async (_what, command, kind, named) => {
    const refused = await refusal(project, ["tab-each", ...command]);
    expect(refused.kind).toBe(kind);
    expect(refused.message).toContain(named);
    expect(await project.title()).toBe("Home");
  });

  it("says so when no tab is open", async () => {
    await project.run("closetab");
    expect(await refusal(project, ["tab-each", "title"])).toMatchObject({ kind: "tab_gone" });
  });

  it("keeps what it was given out of the journal, and each call in it", async () => {
    await project.run("tab-each", "fill", "#city", "hunter2-in-each");
    const journal = await project.journal();
    expect(journal).not.toContain("hunter2-in-each");
    expect(journal).toContain('"command":"fill"');
  });
});
