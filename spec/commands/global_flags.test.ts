/** What every command has: where its output goes, its exit codes, and the flags that stand anywhere. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Project } from "../harness/project.ts";
import { SharedProject } from "../harness/shared_project.ts";
import { Site } from "../harness/site.ts";
import { version } from "../harness/version.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Here</title><button>Go</button>",
    "/never": () => {},
  });
  project = await SharedProject.open();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("output", () => {
  it("is plain text on stdout, or the typed result alone with --json", async () => {
    expect(await project.cli(["title"])).toEqual({ exitCode: 0, stdout: '"Here"\n', stderr: "" });
    expect(await project.cli(["title", "--json"])).toEqual({ exitCode: 0, stdout: '{"title":"Here"}\n', stderr: "" });
  });

  it("has errors and hints on stderr, hints not with --quiet", async () => {
    const told = await project.cli(["click", "#nowhere"]);
    expect(told).toMatchObject({ exitCode: 1, stdout: "" });
    expect(told.stderr).toMatch(/^Error: Nothing matches "#nowhere"\nHint: .+\n$/);
    expect((await project.cli(["click", "#nowhere", "--quiet"])).stderr).toBe('Error: Nothing matches "#nowhere"\n');
    const { stdout, stderr } = await project.cli(["--json", "click", "#nowhere"]);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({
      error: { kind: "not_found", message: expect.any(String), hint: expect.any(String) },
    });
  });

  it("says nothing of stacks or of the driver", async () => {
    for (const argv of [
      ["goto", "http://127.0.0.1:1/"],
      ["click", "##"],
      ["js", "throw 1"],
      ["tab", "t999"],
    ]) {
      const { stderr } = await project.cli(argv);
      expect(stderr).not.toMatch(/playwright|\n\s+at |Call log|Error: Error/i);
    }
  });

  it("has the exit codes 0, 1, 2, 4 and 124", async () => {
    const code = async (...argv: string[]) => (await project.cli(argv)).exitCode;
    expect(await code("url")).toBe(0);
    expect(await code("click", "#nowhere")).toBe(1);
    expect(await code("url", "--nonsense")).toBe(2);
    expect(await code("goto", "javascript:1")).toBe(4);
    expect(await code("wait", "#nowhere", "--timeout", "100")).toBe(124);
    expect(
      (
        await project.cli(["url"], {
          env: { BROWSE_URL: `ws://127.0.0.1:${project.daemon()!.port}/rpc`, BROWSE_TOKEN: "wrong" },
        })
      ).exitCode,
    ).toBe(4);
  });
});

describe("global flags", () => {
  beforeEach(async () => {
    await project.run("goto", site.url);
  });

  it("stand anywhere", async () => {
    for (const argv of [
      ["--json", "count", "button"],
      ["count", "--json", "button"],
      ["count", "button", "--json"],
    ]) {
      expect(await project.run(...argv)).toBe('{"count":1}');
    }
    expect(await project.run("--timeout", "5s", "--session", "default", "count", "button")).toBe("1");
  });

  it("bound the time of a call, whatever its unit, and leave the tab usable", async () => {
    for (const timeout of ["300", "300ms", "0.3s"]) {
      expect(await project.refusal("goto", `${site.url}/never`, "--timeout", timeout)).toMatchObject({
        kind: "timeout",
        timeoutMs: 300,
        exitCode: 124,
      });
    }
    expect(await project.run("goto", site.url)).toContain("(200)");
  });

  it.each([
    [["--timeout", "soon"], "--timeout", "milliseconds or a time such as 5s"],
    [["--timeout", "0"], "--timeout", "milliseconds or a time such as 5s"],
    [["--timeout"], "--timeout", "needs a value: milliseconds or a time such as 5s"],
    [["--tab"], "--tab", "needs a value: a tab id such as t3"],
    [["--session"], "--session", "needs a value: 1 to 64 letters"],
    [["--timeout", "1s", "--timeout", "2s"], "--timeout", "given twice"],
    [["--tab", "three"], "--tab", "a tab id such as t3"],
    [["--max-chars", "-5"], "--max-chars", "a whole number from 1"],
    [["--max-chars", "many"], "--max-chars", "a whole number"],
    [["--json=perhaps"], "--json", "true or false"],
    [["--jsn"], "--jsn", "--json"],
  ])("refuse %j, naming what is accepted", async (argv, flag, accepted) => {
    const refusal = await project.refusal("url", ...argv);
    expect(refusal).toMatchObject({ kind: "invalid_params", exitCode: 2 });
    expect(refusal.message).toContain(flag);
    expect(refusal.message + refusal.hint).toContain(accepted);
  });

  it("start no daemon with --no-start", async () => {
    await using other = new Project();
    const answer = await other.cli(["url", "--no-start"]);
    expect(answer.exitCode).toBe(3);
    expect(answer.stderr).toContain("No daemon is running");
    expect(other.daemon()).toBeUndefined();
  });

  it("refuse to act on another browser than the one asked for", async () => {
    const refusal = await project.refusal("url", "--proxy", "http://127.0.0.1:9");
    expect(refusal).toMatchObject({ kind: "unsupported", exitCode: 1 });
    expect(refusal.hint).toContain("browse restart --proxy http://127.0.0.1:9");
  });

  it("tell the version, without a daemon too", async () => {
    await using other = new Project();
    expect(await other.run("--version")).toBe(version);
    expect(other.daemon()).toBeUndefined();
    expect(await project.run("url", "--version")).toBe(version);
  });
});
