/** What a state folder survives, and what it is not trusted with. Without a browser. */
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  watch,
  writeFileSync,
} from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLock, readLock } from "../../security/process/lock_file.ts";
import { identityOf } from "../../security/process/process_identity.ts";
import { isRunning } from "../harness/is_running.ts";
import { Project } from "../harness/project.ts";

const isRoot = process.getuid?.() === 0;

/** Resolves when `look` is true; the test's own deadline ends it. */
async function until(look: () => boolean): Promise<void> {
  while (!look()) await new Promise((resolve) => setImmediate(resolve));
}

describe("while a daemon lives", () => {
  let project: Project;
  let pid: number;
  const path = (name: string) => join(project.stateDir, name);
  const change = (name: string, members: object) =>
    writeFileSync(path(name), JSON.stringify({ ...JSON.parse(readFileSync(path(name), "utf8")), ...members }));

  beforeAll(async () => {
    project = new Project({}, { ownProcesses: true });
    pid = Number((await project.json("status")).pid);
  });

  afterAll(async () => await project[Symbol.asyncDispose]());

  it.each<[string, () => void]>([
    ["daemon.json is missing", () => rmSync(path("daemon.json"))],
    ["daemon.json is empty", () => truncateSync(path("daemon.json"))],
    ["daemon.json is cut short", () => truncateSync(path("daemon.json"), 40)],
    ["daemon.json is no text", () => writeFileSync(path("daemon.json"), Buffer.alloc(300, 0xff))],
    ["daemon.json has 200 MB", () => truncateSync(path("daemon.json"), 200_000_000)],
    ["daemon.json is a folder", () => [rmSync(path("daemon.json")), mkdirSync(path("daemon.json"))]],
    [
      "daemon.json is a link",
      () => [renameSync(path("daemon.json"), path("x")), symlinkSync("x", path("daemon.json"))],
    ],
    ["others may write daemon.json", () => chmodSync(path("daemon.json"), 0o666)],
    ["daemon.json cannot be written", () => chmodSync(path("daemon.json"), 0o400)],
    ["daemon.json has another token", () => change("daemon.json", { token: "another" })],
    ["daemon.json has another port", () => change("daemon.json", { port: 9 })],
    ["daemon.json names another process", () => change("daemon.json", { pid: process.pid })],
    ["daemon.lock is missing", () => rmSync(path("daemon.lock"))],
    ["daemon.lock is empty", () => truncateSync(path("daemon.lock"))],
    ["daemon.lock is a link", () => [rmSync(path("daemon.lock")), symlinkSync("nowhere", path("daemon.lock"))]],
    ["the folder is open to all", () => chmodSync(project.stateDir, 0o777)],
    ...(isRoot ? [["daemon.json is another user's", () => chownSync(path("daemon.json"), 65_534, 0)] as never] : []),
  ])("and %s, the next command reaches it, within 3 s", async (_what, harm) => {
    harm();
    const startMs = performance.now();
    const answer = await project.cli(["status", "--json"]);
    expect(answer).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(answer.stdout)).toMatchObject({ pid });
    expect(performance.now() - startMs).toBeLessThan(3_000);
    // Whatever the command needed of it, all of it is put back.
    await until(() => readLock(path("daemon.lock"))?.holder?.pid === pid);
    await until(() => (lstatSync(project.stateDir).mode & 0o777) === 0o700);
  });
});

describe("a daemon ends by itself", () => {
  it("when its folder is removed, and does not make it again", async () => {
    await using project = new Project({}, { ownProcesses: true });
    const { pid } = await project.json("status");
    rmSync(project.stateDir, { recursive: true, maxRetries: 5 });
    await until(() => !isRunning(Number(pid)));
    expect(existsSync(project.stateDir)).toBe(false);
    const next = await project.json("status");
    expect(next.pid).not.toBe(pid);
  });

  it("when its folder is cleared", async () => {
    await using project = new Project({}, { ownProcesses: true });
    const { pid } = await project.json("status");
    for (const name of readdirSync(project.stateDir)) rmSync(join(project.stateDir, name), { recursive: true });
    await until(() => !isRunning(Number(pid)));
    expect(readdirSync(project.stateDir)).toEqual([]);
  });

  it("when another process has its place, whose files stay", async () => {
    await using project = new Project({}, { ownProcesses: true });
    const { pid } = await project.json("status");
    const lock = join(project.stateDir, "daemon.lock");
    rmSync(lock);
    createLock(lock, identityOf(process.pid)!);
    await until(() => !isRunning(Number(pid)));
    expect(readFileSync(lock, "utf8")).toContain(String(process.pid));
    expect(readFileSync(join(project.stateDir, "daemon.log"), "utf8")).toContain("has taken its place");
    rmSync(lock);
  });
});

describe("what a cloned repository brings in its .browse", () => {
  const FILES = ["daemon.log", "journal.jsonl", "console.jsonl", "network.jsonl", "daemon.lock", "browser.json", "x"];

  it("gets nothing written outside, no connection, and no proxy", async () => {
    await using project = new Project({}, { ownProcesses: true });
    const outside = join(project.dir, "outside");
    mkdirSync(join(outside, "artifacts"), { recursive: true });
    mkdirSync(project.stateDir, { mode: 0o755 });
    for (const name of FILES) {
      writeFileSync(join(outside, name), "mine\n");
      symlinkSync(join(outside, name), join(project.stateDir, name));
    }
    symlinkSync(join(outside, "artifacts"), join(project.stateDir, "artifacts"));
    symlinkSync(join(outside, "made"), join(project.stateDir, ".gitignore"));
    const sockets: Socket[] = [];
    await using server = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
    await until(() => server.listening);
    const { port } = server.address() as { port: number };
    const planted = { pid: 1, startTime: "guessed", port, token: "planted", startedAt: "", version: "0.1.0" };
    const proxy = `http://127.0.0.1:${port}`;
    // Of the user's own id, and with the strictest mode that a clone may have.
    const state = JSON.stringify({ ...planted, protocol: "1.0.0", mode: "headed", proxy, ended: "restart" });
    writeFileSync(join(project.stateDir, "daemon.json"), state, { mode: 0o600 });
    const status = await project.json("status");
    expect(status).toMatchObject({ headed: false });
    expect(status).not.toHaveProperty("proxy");
    await project.run("stop");
    expect(sockets).toEqual([]);
    for (const name of FILES) expect(readFileSync(join(outside, name), "utf8")).toBe("mine\n");
    expect(readdirSync(outside).sort()).toEqual([...FILES, "artifacts"].sort());
    expect(readFileSync(join(project.stateDir, ".gitignore"), "utf8")).toBe("*\n");
    expect(lstatSync(join(project.stateDir, "artifacts")).isDirectory()).toBe(true);
  });

  it("is refused when it is a link, and what that leads to stays as it is", async () => {
    await using project = new Project({}, { ownProcesses: true });
    mkdirSync(join(project.dir, "outside"), { mode: 0o755 });
    symlinkSync(join(project.dir, "outside"), project.stateDir);
    expect(await project.refusal("status")).toMatchObject({
      exitCode: 3,
      message: `Cannot use the folder "${project.stateDir}": it is a link`,
      hint: expect.stringContaining("Remove the link"),
    });
    expect(readdirSync(join(project.dir, "outside"))).toEqual([]);
    expect(lstatSync(join(project.dir, "outside")).mode & 0o777).toBe(0o755);
  });
});

it("`stop` ends a daemon whose record of browsers somebody put a folder in the place of", async () => {
  await using project = new Project({}, { ownProcesses: true });
  const { pid } = await project.json("status");
  const record = join(project.stateDir, "browser.json");
  rmSync(record, { force: true });
  mkdirSync(record);
  expect(await project.cli(["stop"])).toMatchObject({
    exitCode: 0,
    stdout: `Stopped the daemon (pid ${pid})\n`,
    stderr: "",
  });
  expect(isRunning(Number(pid))).toBe(false);
});

it("`stop` waits for a daemon that a command is just starting, and ends it", async () => {
  await using project = new Project({}, { ownProcesses: true });
  mkdirSync(project.stateDir, { mode: 0o700 });
  const { promise: starts, resolve } = Promise.withResolvers<void>();
  const watcher = watch(project.stateDir, (_event, name) => name?.startsWith("starter.") && resolve());
  const starting = project.cli(["status", "--json"]);
  await starts;
  watcher.close();
  expect(await project.run("stop")).toMatch(/^Stopped the daemon/);
  expect(await starting).toMatchObject({ exitCode: 0 });
  expect(await project.cli(["status", "--no-start"])).toMatchObject({ exitCode: 3 });
});

it.each(["a file", "a link to itself"])(
  "`stop` where the state folder is %s says that no daemon is running",
  async (what) => {
    await using project = new Project({}, { ownProcesses: true });
    if (what === "a file") writeFileSync(project.stateDir, "");
    else symlinkSync(project.stateDir, project.stateDir);
    expect(await project.cli(["stop"])).toMatchObject({ exitCode: 0, stdout: "No daemon is running\n", stderr: "" });
  },
);
