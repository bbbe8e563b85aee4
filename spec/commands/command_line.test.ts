/** What holds of every command line: names, lines from standard input, the state folder and the environment. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({ "/": "<!doctype html><title>Here</title><button>Go</button>" });
  project = new Project();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe("names", () => {
  it.each([
    [["open", "SITE"], "Navigated to SITE/ (200)"],
    [["eval-js", "1 + 1"], "2"],
  ])("has %j answer as its command does", async (argv, expected) => {
    const answer = await project.run(...argv.map((word) => word.replace("SITE", site.url)));
    expect(answer).toBe(expected.replace("SITE", site.url));
  });

  it("suggests the nearest of an unknown one", async () => {
    expect(await project.refusal("clik", "@e1")).toMatchObject({
      kind: "unknown_command",
      message: 'There is no command "clik"',
      hint: 'Did you mean "click"?',
      exitCode: 2,
    });
    expect(await project.refusal("frobnicate")).toMatchObject({ hint: "Run `browse help` for the list" });
    expect(await project.refusal("help", "clik")).toMatchObject({ kind: "unknown_command", exitCode: 2 });
    expect(await project.refusal("help", "dblclick")).toMatchObject({
      kind: "unknown_command",
      hint: expect.stringContaining("browse click"),
    });
    expect(await project.refusal("dialog-policy", "accept", "extra")).toMatchObject({ exitCode: 2 });
    expect(await project.refusal("goto", "a", "--wait", "soon")).toMatchObject({
      hint: "Use one of load, dom, idle, commit",
    });
    expect(await project.refusal("wait", "1x")).toMatchObject({ hint: "Run `browse help wait` for what it accepts" });
    expect(await project.refusal("__proto__")).toMatchObject({ kind: "unknown_command" });
  });
});

describe("lines from standard input", () => {
  it("are run one by one over one connection, by `-` and by `repl`", async () => {
    const stdin = `goto '${site.url}/'\n\n# a comment\ntitle\ncount "button"\n`;
    for (const word of ["-", "repl"]) {
      const { stdout, exitCode } = await project.cli([word], { stdin });
      expect(stdout).toBe(`Navigated to ${site.url}/ (200)\n"Here"\n1\n`);
      expect(exitCode).toBe(0);
    }
  });

  it("go on after a line that fails, and end with its code", async () => {
    const { stdout, stderr, exitCode } = await project.cli(["-"], {
      stdin: "click '#nowhere'\ntitle\nopen 'unclosed\nurl\n",
    });
    expect(stdout).toBe(`"Here"\n${site.url}/\n`);
    expect(stderr).toContain('Nothing matches "#nowhere"');
    expect(exitCode).toBeGreaterThan(0);
  });

  it("end at `exit`, and share the flags given before", async () => {
    const { stdout } = await project.cli(["--json", "-"], { stdin: "title\nexit\nurl\n" });
    expect(stdout).toBe('{"title":"Here"}\n');
  });
});

describe("the state folder", () => {
  it("is private, and hidden from git", async () => {
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(project.stateDir)).toBe(0o700);
    expect(mode(join(project.stateDir, "daemon.json"))).toBe(0o600);
    expect(readFileSync(join(project.stateDir, ".gitignore"), "utf8")).toBe("*\n");
  });

  it("has the journal of calls", async () => {
    const lines = (await project.journal())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({
      command: "goto",
      params: { url: `${site.url}/` },
      outcome: "ok",
      session: "default",
    });
    expect(lines.some(({ outcome }) => outcome === "not_found")).toBe(true);
  });

  it("belongs to the project's root, wherever in it the command is run", async () => {
    await using other = new Project();
    mkdirSync(join(other.dir, ".git"));
    mkdirSync(join(other.dir, "deep/down"), { recursive: true });
    writeFileSync(join(other.dir, "deep/down/one.js"), "'deep'");
    await other.run("status");
    const { pid } = other.daemon()!;
    const inside = await other.cli(["status", "--json"], {
      cwd: join(other.dir, "deep/down"),
      env: { BROWSE_STATE_DIR: "" },
    });
    expect(JSON.parse(inside.stdout)).toMatchObject({ pid });
    const value = await other.cli(["eval", "one.js"], { cwd: join(other.dir, "deep/down") });
    expect(value.stdout).toBe("deep\n");
  });
});

describe("settings of the environment", () => {
  it("are refused by name when malformed, before anything starts", async () => {
    await using other = new Project({ BROWSE_IDLE_TIMEOUT: "soon" });
    const answer = await other.cli(["url"]);
    expect(answer.exitCode).toBe(2);
    expect(answer.stderr).toContain("BROWSE_IDLE_TIMEOUT");
    expect(answer.stderr).toContain("whole milliseconds");
  });
});
