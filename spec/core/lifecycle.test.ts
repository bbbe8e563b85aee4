import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FULL_CHROMIUM } from "../harness/full_chromium.ts";
import { isRunning } from "../harness/is_running.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";
import {
  browserPids,
  connections,
  daemonPid,
  eventually,
  foldersOf,
  journalled,
  recordedBrowsers,
  starterPids,
  watchdogPids,
} from "./traces_of_daemon.ts";

describe.concurrent("a daemon killed with -9", () => {
  it("leaves no Chromium and no folder of it, and the next command says that state was lost", async () => {
    await using site = await Site.serve({ "/": "<!doctype html><title>Here</title>" });
    await using project = new Project({}, { ownProcesses: true });
    await project.run("goto", site.url);
    const pids = browserPids(project);
    expect(pids.length).toBeGreaterThan(1);
    const folders = foldersOf(project);
    process.kill(daemonPid(project), "SIGKILL");
    await eventually(() => pids.every((pid) => !isRunning(pid)));
    await eventually(() => !folders.some((folder) => existsSync(folder)));
    const answer = await project.cli(["url"]);
    expect(answer).toMatchObject({ exitCode: 0, stdout: "about:blank\n" });
    expect(answer.stderr).toContain("the browser daemon had died".replace("the", "The"));
    expect((await project.cli(["url"])).stderr).toBe("");
  });

  it("has a running `wait` carried on by a new daemon", async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("status");
    const before = daemonPid(project);
    const waiting = project.cli(["wait", "1500"]);
    await eventually(() => journalled(project, "wait") || connections(project) > 0);
    process.kill(before, "SIGKILL");
    expect(await waiting).toMatchObject({ exitCode: 0 });
    expect(daemonPid(project)).not.toBe(before);
  });

  it("makes a running click an unknown outcome, and it is never done twice", async () => {
    let posts = 0;
    const { promise: pressed, resolve: onPress } = Promise.withResolvers<void>();
    await using site = await Site.serve({
      "/": `<!doctype html><button onclick="fetch('/buy', {method: 'POST', keepalive: true})">Buy</button>`,
      // Never answers, so the click's effect does not settle.
      "/buy": () => {
        posts++;
        onPress();
      },
    });
    await using project = new Project({}, { ownProcesses: true });
    await project.run("goto", site.url);
    const clicking = project.refusal("click", "button");
    await pressed;
    process.kill(daemonPid(project), "SIGKILL");
    expect(await clicking).toMatchObject({ kind: "outcome_unknown", exitCode: 1 });
    await project.run("status");
    expect(posts).toBe(1);
  });
});

describe.concurrent("starting", () => {
  it("gives two first commands one daemon, and answers both", async () => {
    await using project = new Project({}, { ownProcesses: true });
    const answers = await Promise.all([project.cli(["status", "--json"]), project.cli(["status", "--json"])]);
    const pids = answers.map(({ stdout }) => (JSON.parse(stdout) as { pid: number }).pid);
    expect(answers.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    expect(new Set(pids).size).toBe(1);
  });

  it("survives the end of the process group that started it", async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("status");
    const pid = daemonPid(project);
    const session = execFileSync("ps", ["-o", "sid=", "-p", String(pid)], { encoding: "utf8" }).trim();
    expect(session).toBe(String(pid));
  });

  it("goes on as it was after a restart", async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("status");
    const before = daemonPid(project);
    expect(await project.json("restart")).toEqual({ replacedPid: before });
    const status = await project.json("status");
    expect(status.pid).not.toBe(before);
    expect(isRunning(before)).toBe(false);
  });

  it("is stopped when it is just being restarted, and nothing is left", async () => {
    await using project = new Project({}, { ownProcesses: true });
    for (let times = 0; times < 4; times++) {
      await project.run("status");
      const before = daemonPid(project);
      let isAnswered = false;
      const restarting = project.run("restart").finally(() => {
        isAnswered = true;
      });
      // After the restart has been answered, and while it goes on, unless it was too quick to be seen.
      await eventually(() => isAnswered || (times % 2 === 1 && starterPids(project).includes(before)));
      expect(await project.run("stop")).toContain("Stopped the daemon");
      await restarting;
      expect(await project.run("stop")).toBe("No daemon is running");
      expect(starterPids(project)).toEqual([]);
      expect(readdirSync(project.stateDir)).not.toContain("daemon.lock");
    }
  });

  it("keeps its proxy over a restart and a death, until it is stopped", async () => {
    await using project = new Project({}, { ownProcesses: true });
    const proxy = async () => (await project.json("status")).proxy;
    expect(await project.json("status", "--proxy", "127.0.0.1:9")).toMatchObject({ proxy: "http://127.0.0.1:9" });
    await project.run("restart");
    expect(await proxy()).toBe("http://127.0.0.1:9");
    process.kill(daemonPid(project), "SIGKILL");
    expect(await proxy()).toBe("http://127.0.0.1:9");
    await project.run("restart", "--proxy", "none");
    expect(await proxy()).toBeUndefined();
    await project.run("--proxy", "socks5://127.0.0.1:9", "restart");
    expect(await proxy()).toBe("socks5://127.0.0.1:9");
    await project.run("stop");
    expect(await proxy()).toBeUndefined();
  });

  it("answers `stop`, and is gone with its browser", async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("goto", "about:blank");
    const pids = [daemonPid(project), ...browserPids(project)];
    const folders = foldersOf(project);
    expect(await project.run("stop")).toContain("Stopped");
    expect(pids.filter(isRunning)).toEqual([]);
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
    expect(project.daemon()).toBeUndefined();
  });

  it("is over with a browser that hangs, which is killed", async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("goto", "about:blank");
    const pids = [daemonPid(project), ...browserPids(project)];
    const folders = foldersOf(project);
    for (const { identity } of recordedBrowsers(project)) process.kill(-identity.pid, "SIGSTOP");
    const startMs = performance.now();
    expect(await project.run("stop")).toContain("Stopped");
    expect(performance.now() - startMs).toBeLessThan(7_000);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(folders.filter((folder) => existsSync(folder))).toEqual([]);
    expect(await project.run("url")).toBe("about:blank");
  });

  it("leaves nothing of a hung daemon's browser either", async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("goto", "about:blank");
    const pids = [daemonPid(project), ...browserPids(project)];
    const folders = foldersOf(project);
    process.kill(daemonPid(project), "SIGSTOP");
    expect(await project.run("stop")).toContain("Killed");
    await eventually(() => pids.every((pid) => !isRunning(pid)) && !folders.some((folder) => existsSync(folder)));
  });
});

describe.concurrent("Chromium", () => {
  it.runIf(existsSync("/proc/self/autogroup"))("has its session yield to the daemon's", async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("url");
    const [browser = 0] = browserPids(project);
    expect(readFileSync(`/proc/${browser}/autogroup`, "utf8")).toMatch(/ nice 5\n$/);
  });

  it("ends the daemon when it dies, and the next command says so", async () => {
    await using project = new Project({}, { ownProcesses: true });
    await project.run("goto", "about:blank");
    const [browser = 0] = browserPids(project);
    const before = daemonPid(project);
    process.kill(browser, "SIGKILL");
    await eventually(() => !isRunning(before));
    const answer = await project.cli(["url"]);
    expect(answer.exitCode).toBe(0);
    expect(answer.stderr).toContain("The browser had crashed");
  });

  it.each([
    ["as it is by itself", {}, "", 1],
    ["that could show windows, in a folder with room for its socket,", FULL_CHROMIUM, "", 1],
    ["that could show windows, in one too deep for it,", FULL_CHROMIUM, "a-long-name-for-a-project", 2],
  ])("%s leaves no folder when it dies, not even with its daemon and its watchdog", async (_, env, below, folders) => {
    await using project = new Project(env, { ownProcesses: true, below });
    await project.run("goto", "about:blank");
    const before = foldersOf(project);
    expect(before.filter((folder) => !folder.startsWith(before[0] ?? "")).length).toBe(folders - 1);
    const daemon = daemonPid(project);
    process.kill(browserPids(project)[0] ?? 0, "SIGKILL");
    // What the daemon leaves, its watchdog removes.
    await eventually(() => !isRunning(daemon) && !before.some((folder) => existsSync(folder)));
    await project.run("goto", "about:blank");
    const left = foldersOf(project);
    const pids = [...watchdogPids(project), daemonPid(project), ...browserPids(project)];
    for (const pid of pids.filter(isRunning)) process.kill(pid, "SIGKILL");
    await eventually(() => pids.every((pid) => !isRunning(pid)));
    expect(left.every((folder) => existsSync(folder))).toBe(true);
    await project.run("status");
    expect(left.filter((folder) => existsSync(folder))).toEqual([]);
  });

  it("has its profile and the driver's files where nobody else can look and no command may read", async () => {
    await using site = await Site.serve({ "/": "<!doctype html><input type=file>" });
    await using project = new Project({}, { ownProcesses: true });
    await project.run("goto", site.url);
    const [folder = ""] = foldersOf(project);
    expect(folder.startsWith(join(project.stateDir, "run"))).toBe(true);
    expect(["", "profile", "driver"].map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([
      0o700, 0o700, 0o700,
    ]);
    const filesOfProfile = () =>
      readdirSync(join(folder, "profile"), { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    await eventually(() => filesOfProfile().length > 0);
    const [{ parentPath, name } = { parentPath: "", name: "" }] = filesOfProfile();
    const refusal = await project.refusal("upload", "input", join(parentPath, name));
    expect(refusal).toMatchObject({ kind: "blocked_path" });
  });

  it("that dies during a script leaves its outcome unknown, and says in the log how it died", async () => {
    await using site = await Site.serve({ "/": "<!doctype html><title>Here</title>" });
    await using project = new Project({}, { ownProcesses: true });
    await project.run("goto", site.url);
    const [browser = 0] = browserPids(project);
    const waiting = project.refusal("js", "await fetch('/started').catch(() => {}), new Promise(() => {})");
    await eventually(() => site.requests.includes("GET /started"));
    process.kill(browser, "SIGKILL");
    expect(await waiting).toMatchObject({
      kind: "outcome_unknown",
      ended: "browser_gone",
      hint: expect.stringContaining(".browse/daemon.log"),
    });
    const log = () => readFileSync(join(project.stateDir, "daemon.log"), "utf8");
    await eventually(() => log().includes("Chromium ended"));
    expect(log()).toContain("Chromium ended by itself, killed by SIGKILL");
  });
});

describe.concurrent("a daemon that ends", () => {
  it("leaves its compiled code to the next, where nobody else can put any", async () => {
    // As where nobody has named a folder for all of Node's.
    await using project = new Project({ NODE_COMPILE_CACHE: "" });
    await project.run("status");
    const pid = daemonPid(project);
    await project.run("stop");
    await eventually(() => !isRunning(pid));
    const compiled = join(project.dir, "home/compiled");
    expect(readdirSync(compiled, { recursive: true, withFileTypes: true }).some((entry) => entry.isFile())).toBe(true);
    expect(statSync(compiled).mode & 0o777).toBe(0o700);
    expect(await project.run("status")).toContain("pid");
  });
});
