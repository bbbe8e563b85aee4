import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";
import { version } from "../harness/version.ts";

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

describe("help", () => {
  it("shows all commands, and the flags and examples of one", async () => {
    const overview = await project.run("help");
    for (const name of ["goto", "snapshot", "click", "chain", "--timeout"]) expect(overview).toContain(`  ${name}`);
    expect(await project.run()).toBe(overview);
    expect(await project.run("--help")).toBe(overview);
    const help = await project.run("help", "click");
    expect(help).toContain("--new-tab");
    expect(help).toContain("browse click @e3");
    for (const argv of [
      ["click", "--help"],
      ["click", "-h"],
      ["--help", "click"],
    ]) {
      expect(await project.run(...argv)).toBe(help);
    }
  });

  it("shows an alias's command by its own name", async () => {
    const help = await project.run("help", "open");
    expect(help).toMatch(/^browse goto /);
    expect(help).toContain("Also: open");
  });

  it("does nothing but help", async () => {
    await project.run("closetab", "--help");
    expect(await project.run("url")).toBe(`${site.url}/`);
  });
});

describe("docs", () => {
  it("describes every command for programs", async () => {
    const { commands } = JSON.parse(await project.run("docs")) as { commands: { name: string }[] };
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(["goto", "snapshot", "chain"]));
    const openrpc = JSON.parse(await project.run("docs", "--openrpc")) as {
      openrpc: string;
      methods: { name: string }[];
    };
    expect(openrpc.openrpc).toMatch(/^1\./);
    for (const { name } of commands) expect(openrpc.methods.map((method) => method.name)).toContain(name);
  });
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
      expect(stdout).toBe(`Navigated to ${site.url}/ (200)\nHere\n1\n`);
      expect(exitCode).toBe(0);
    }
  });

  it("go on after a line that fails, and end with its code", async () => {
    const { stdout, stderr, exitCode } = await project.cli(["-"], {
      stdin: "click '#nowhere'\ntitle\nopen 'unclosed\nurl\n",
    });
    expect(stdout).toBe(`Here\n${site.url}/\n`);
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

describe("restart and stop", () => {
  it("refuse a proxy that is none, and stop answers before it stops", async () => {
    await using other = new Project();
    await other.run("status");
    expect(await other.refusal("restart", "--proxy", "nonsense")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    const { pid } = other.daemon()!;
    expect(await other.run("stop")).toBe(`Stopped the daemon (pid ${pid})`);
    const again = await other.cli(["stop"]);
    expect(again).toMatchObject({ exitCode: 0, stdout: "No daemon is running\n" });
    expect(other.daemon()).toBeUndefined();
  });
});

describe("setup", () => {
  it("says where the Chromium is, and installs none when there is one", async () => {
    await using project = new Project();
    expect(await project.json("setup")).toMatchObject({ path: expect.stringMatching(/chrom|edge/i), installed: false });
    expect(await project.run("setup")).toMatch(/^Found .*\nNext: browse goto/);
  });

  it("installs none in the place of one that was asked for by name", async () => {
    await using project = new Project({ BROWSE_CHROMIUM: "/nowhere/chromium" });
    expect(await project.refusal("setup")).toMatchObject({
      kind: "no_browser",
      hint: expect.stringContaining("unset"),
    });
  });
});
