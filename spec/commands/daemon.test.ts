import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeBrowserRecord } from "../../security/browser_record.ts";
import { identityOf } from "../../security/process_identity.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/": "<!doctype html><title>Here</title><button>Go</button>",
    "/never": () => {},
  });
  project = new Project();
  await project.run("goto", site.url);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8")) as {
  version: string;
};

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

describe("doctor", () => {
  it("finds nothing wrong here", async () => {
    const { checks, ok } = (await project.json("doctor")) as { checks: { check: string; ok: boolean }[]; ok: boolean };
    expect(checks.map(({ check }) => check)).toEqual(
      expect.arrayContaining(["runtime", "browser", "sandbox", "state folder", "disk", "ports", "orphan processes"]),
    );
    expect(checks.filter((line) => !line.ok)).toEqual([]);
    expect(ok).toBe(true);
    expect(await project.run("doctor")).toMatch(/^ok {3}runtime: Node \d+/);
  });

  it("tells where the daemon listens", async () => {
    expect(await project.run("doctor")).toContain(
      `ok   ports: the daemon listens on 127.0.0.1:${project.daemon()!.port}`,
    );
  });

  it("finds the browser of a daemon that is gone, and ends it with --fix", async () => {
    await using other = new Project();
    await other.run("status");
    const orphan = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { detached: true, stdio: "ignore" });
    using _ = { [Symbol.dispose]: () => void orphan.kill("SIGKILL") };
    const ended = once(orphan, "exit");
    const gone = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e9)"], { stdio: "ignore" });
    const owner = identityOf(gone.pid!)!;
    gone.kill("SIGKILL");
    await once(gone, "exit");
    await writeBrowserRecord(other.stateDir, {
      owner,
      browsers: [{ identity: identityOf(orphan.pid!)!, folders: [] }],
    });
    const found = await other.cli(["doctor"]);
    expect(found).toMatchObject({ exitCode: 1 });
    expect(found.stdout).toContain(
      `FAIL orphan processes: Chromium ${orphan.pid}\n     fix: Run \`browse doctor --fix\``,
    );
    expect(await other.run("doctor", "--fix")).toContain("ok   orphan processes: ended 1");
    expect((await ended)[1]).toBe("SIGKILL");
    expect(await other.run("doctor")).toContain("ok   orphan processes: none");
  });

  it("takes no keychain for no failure, and says what to set in its place", async () => {
    // No keychain can be reached there.
    await using without = new Project({ DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" });
    const { stdout, exitCode } = await without.cli(["doctor"]);
    if (process.platform === "linux") {
      expect(stdout).toMatch(/^ok {3}keychain: the system's cannot be used.*\n {5}fix: Set BROWSE_STATE_KEY/m);
    }
    expect(exitCode).toBe(0);
    await without.run("stop");
    const given = await without.cli(["doctor"], { env: { BROWSE_STATE_KEY: "a key for tests" } });
    expect(given.stdout).toContain("ok   keychain: not needed: BROWSE_STATE_KEY is set\n");
  });

  it("names the fix of what is wrong, and ends with an error code", async () => {
    await using other = new Project({ BROWSE_CHROMIUM: "/nowhere/chromium" });
    await other.run("status");
    chmodSync(other.stateDir, 0o755);
    const { exitCode, stdout } = await other.cli(["doctor"]);
    expect(stdout).toContain("FAIL browser:");
    expect(stdout).toContain(`fix: chmod 700 "${other.stateDir}"`);
    expect(exitCode).toBe(1);
  });

  it("is right about a browser that is not there: other commands say how to get one", async () => {
    await using other = new Project({ BROWSE_CHROMIUM: "/nowhere/chromium" });
    const refusal = await other.refusal("goto", site.url);
    expect(refusal).toMatchObject({ kind: "no_browser", exitCode: 1 });
    expect(refusal.message).toContain("/nowhere/chromium");
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
    expect(await project.refusal("__proto__")).toMatchObject({ kind: "unknown_command" });
  });
});

describe("output", () => {
  it("is plain text on stdout, or the typed result alone with --json", async () => {
    expect(await project.cli(["title"])).toEqual({ exitCode: 0, stdout: "Here\n", stderr: "" });
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
    [["--tab", "3"], "--tab", "a tab id such as t3"],
    [["--max-bytes", "-5"], "--max-bytes", "a whole number from 1"],
    [["--max-bytes", "many"], "--max-bytes", "a whole number"],
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
