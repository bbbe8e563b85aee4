import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import stopCommand from "../../commands/daemon/stop.ts";
import { GLOBAL_FLAGS } from "../../rpc/line/global_flags.ts";
import { readEnvironment } from "../../security/process/environment.ts";
import { isRunning } from "../harness/is_running.ts";
import { Project } from "../harness/project.ts";
import { version } from "../harness/version.ts";
import { FakeProject } from "./fake_project.ts";

function writeState(project: FakeProject, state: object): void {
  mkdirSync(project.stateDir, { recursive: true });
  writeFileSync(join(project.stateDir, "daemon.json"), JSON.stringify(state));
}

/** A process of another kind under whose id a dead daemon's file is found. */
function bystander() {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const end = async () => {
    child.kill();
    await once(child, "exit");
  };
  return { pid: child.pid ?? 0, [Symbol.asyncDispose]: end };
}

const stale = { port: 1, token: "old", startedAt: "2020-01-01T00:00:00Z", version: "0.0.1", protocol: "1.0.0" };

test("the first command starts a daemon in a private folder that git ignores", async () => {
  await using project = new FakeProject();
  expect(await project.run(["echo"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(statSync(project.stateDir).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(project.stateDir, ".gitignore"), "utf8")).toBe("*\n");
});

test.skipIf(!process.allowedNodeEnvironmentFlags.has("--disable-sigusr1"))(
  "no signal opens a debugger in the daemon",
  async () => {
    await using project = new FakeProject();
    await project.run(["echo"]);
    const { pid } = JSON.parse(readFileSync(join(project.stateDir, "daemon.json"), "utf8"));
    process.kill(pid, "SIGUSR1");
    expect(await project.run(["echo"])).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(project.stateDir, "daemon.log"), "utf8")).not.toContain("Debugger");
  },
);

test("a folder in no repository gets a browser of its own, which is said once, and folders below it use that", async () => {
  await using project = new FakeProject({ isRepository: false });
  const said = `${project.dir} is in no git repository: it gets a browser of its own, with its state in ${project.stateDir}\n`;
  expect(await project.run(["echo"])).toMatchObject({ exitCode: 0, stderr: said });
  const below = join(project.dir, "a/b");
  mkdirSync(below, { recursive: true });
  expect(await project.run(["echo"], { cwd: below })).toMatchObject({ exitCode: 0, stderr: "" });
  expect(existsSync(join(below, ".browse"))).toBe(false);
  // What all projects share is nobody's state.
  mkdirSync(join(project.dir, "a/home/x"), { recursive: true });
  mkdirSync(join(project.dir, "a/home/.browse"));
  const shared = { cwd: join(project.dir, "a/home/x"), env: { BROWSE_HOME: join(project.dir, "a/home/.browse") } };
  expect(await project.run(["echo"], shared)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(project.pids()).toHaveLength(1);
});

test("the version is told without a daemon", async () => {
  await using project = new FakeProject();
  expect(await project.run(["version"])).toMatchObject({ stdout: `${version}\n` });
  expect(await project.run(["--version"])).toMatchObject({ stdout: `${version}\n` });
  expect(project.pids()).toEqual([]);
});

test("the daemon outlives the client's process group", async () => {
  await using project = new FakeProject();
  await project.run(["echo"]);
  const [pid] = project.pids();
  const [group, session] = execFileSync("ps", ["-o", "pgid=,sid=", "-p", String(pid)], { encoding: "utf8" })
    .trim()
    .split(/\s+/);
  expect([Number(group), Number(session)]).toEqual([pid, pid]);
});

test("commands in a folder below the project use the project's daemon", async () => {
  await using project = new FakeProject();
  const below = join(project.dir, "a/b");
  mkdirSync(below, { recursive: true });
  await project.run(["echo"]);
  const { stdout } = await project.run(["echo"], { cwd: below });
  expect(JSON.parse(stdout)).toMatchObject({ cwd: below });
  expect(project.pids()).toHaveLength(1);
});

test("clients that start together share one daemon", async () => {
  await using project = new FakeProject();
  const answers = await Promise.all([1, 2, 3].map((one) => project.run(["echo", String(one)])));
  expect(answers.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
    Array(3).fill({ exitCode: 0, stderr: "" }),
  );
  expect(project.pids()).toHaveLength(1);
});

test("a daemon that is not there yet when another is found is ended, and takes no place that gets free", async () => {
  await using project = new FakeProject();
  const slow = project.run(["echo"], { env: { FAKE_START: "late" } });
  await expect.poll(() => project.latePids(), { timeout: 20_000 }).toHaveLength(1);
  expect(await project.run(["echo"])).toMatchObject({ exitCode: 0 });
  expect(await slow).toMatchObject({ exitCode: 0, stderr: "" });
  await expect.poll(() => isRunning(project.latePids()[0]!), { timeout: 20_000 }).toBe(false);
  expect(project.pids()).toHaveLength(1);
});

test.each([
  ["of a process that is gone", { ...stale, pid: 2 ** 22 + 1 }],
  ["that was cut short", { pid: process.pid }],
])("a state file %s is no obstacle", async (_, state) => {
  await using project = new FakeProject();
  writeState(project, state);
  expect(await project.run(["echo"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a state file whose process id belongs to somebody else by now is no obstacle", async () => {
  await using project = new FakeProject();
  await using other = bystander();
  writeState(project, { ...stale, pid: other.pid, version });
  expect(await project.run(["echo"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("another server on the port of a dead daemon is recognized as a stranger", async () => {
  await using project = new FakeProject();
  await using other = bystander();
  const server = createServer((_, response) => response.writeHead(404).end());
  await once(server.listen(0, "127.0.0.1"), "listening");
  writeState(project, { ...stale, pid: other.pid, version, port: (server.address() as AddressInfo).port });
  expect(await project.run(["echo"])).toMatchObject({ exitCode: 0, stderr: "" });
  server.closeAllConnections();
  server.close();
});

test.each(["fail", "clear"])("a daemon that cannot start (%s) says why, and nothing of its stack", async (how) => {
  await using project = new FakeProject();
  const answer = await project.run(["echo"], { env: { FAKE_START: how } });
  expect(answer.exitCode).toBe(3);
  expect(answer.stderr).toContain("Cannot listen on port 1: the system refused it");
  expect(answer.stderr).not.toContain("    at ");
});

test.each<Record<string, string>>([{ BROWSE_PORT: "abc" }, { BROWSE_PROXY: "nonsense" }])(
  "that the daemon cannot use %j is a usage error, in the daemon's own words",
  async (env) => {
    await using project = new Project(env);
    const refusal = await project.refusal("status");
    expect(() => readEnvironment(env)).toThrow(refusal.message);
    expect(refusal).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
      hint: expect.stringMatching(/^(Set|Unset) /),
    });
  },
);

test("a state folder that cannot be made is named, with exit code 3", async () => {
  await using project = new FakeProject();
  writeFileSync(join(project.dir, "file"), "");
  const answer = await project.run(["echo"], { env: { BROWSE_STATE_DIR: "file/state" } });
  expect(answer).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("BROWSE_STATE_DIR") });
});

test.each([
  ["~/state", "state"],
  [" ~/state ", "state"],
  ["~", "."],
  ["~state", "app/~state"],
  [" ", ".browse"],
])("BROWSE_STATE_DIR=%j is the folder that the daemon would read from it", async (given, folder) => {
  await using project = new FakeProject();
  const env = { BROWSE_STATE_DIR: given, HOME: project.dir, USERPROFILE: project.dir };
  await project.run(["echo"], { env, cwd: project.app });
  expect(existsSync(join(project.dir, folder, "daemon.json"))).toBe(true);
  expect(await project.run(["stop"], { env, cwd: project.app })).toMatchObject({ stdout: "Stopped\n" });
});

test("--no-start starts nothing, wherever it stands", async () => {
  await using project = new FakeProject();
  for (const argv of [
    ["--no-start", "echo"],
    ["echo", "--no-start"],
  ]) {
    expect(await project.run(argv)).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("No daemon is running"),
    });
  }
  expect(project.pids()).toEqual([]);
});

test("--quiet keeps back the client's own hints too, wherever it stands", async () => {
  await using project = new FakeProject();
  const stderr = `Error: No daemon is running for "${project.dir}"\n`;
  for (const argv of [
    ["echo", "--no-start", "--quiet"],
    ["--quiet", "--no-start", "echo"],
  ]) {
    expect(await project.run(argv)).toEqual({ exitCode: 3, stdout: "", stderr });
  }
});

test("stop starts nothing either, and is content with nothing to stop", async () => {
  await using project = new FakeProject();
  expect(await project.run(["stop"])).toMatchObject({ exitCode: 0, stdout: "No daemon is running\n" });
  await project.run(["echo"]);
  expect(await project.run(["stop"])).toMatchObject({ exitCode: 0, stdout: "Stopped\n" });
  expect(project.pids()).toHaveLength(1);
});

test.each(GLOBAL_FLAGS.filter(({ kinds }) => !kinds.has("boolean")).map(({ flag }) => flag))(
  "a value of %s before the command is not taken for the command",
  async (flag) => {
    await using project = new FakeProject();
    expect(await project.run([flag, "1", "stop"])).toMatchObject({ exitCode: 0, stdout: "No daemon is running\n" });
  },
);

test("stop --json with nothing to stop prints a result of the command's own shape", async () => {
  await using project = new FakeProject();
  const { stdout, stderr, exitCode } = await project.run(["stop", "--json"]);
  expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
  expect(v.parse(stopCommand.result, JSON.parse(stdout))).toEqual({ pid: null });
});

test("a command right after stop gets a new daemon", async () => {
  await using project = new FakeProject();
  await project.run(["echo"]);
  await project.run(["stop"]);
  expect(await project.run(["echo"])).toMatchObject({ exitCode: 0 });
  expect(project.pids()).toHaveLength(2);
});

test("a daemon of another version is replaced, and the person told", async () => {
  await using project = new FakeProject();
  await project.run(["echo"], { env: { FAKE_VERSION: "0.0.1" } });
  const answer = await project.run(["echo"]);
  expect(answer).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("version 0.0.1") });
  expect(project.pids()).toHaveLength(2);
  expect(await project.run(["echo"])).toMatchObject({ exitCode: 0, stderr: "" });
});

test("a daemon of another version that must not go stays, and the command to run is named", async () => {
  await using project = new FakeProject();
  await project.run(["echo"], { env: { FAKE_VERSION: "0.0.1", FAKE_START: "stay" } });
  const answer = await project.run(["echo"]);
  expect(answer.exitCode).toBe(1);
  expect(answer.stderr).toContain("a window is open");
  expect(answer.stderr).toContain("`browse restart`");
  expect(await project.run(["stop"])).toMatchObject({ exitCode: 0, stdout: "Stopped\n" });
  expect(project.pids()).toHaveLength(1);
});

test("BROWSE_URL and BROWSE_TOKEN lead to that daemon, from anywhere", async () => {
  await using project = new FakeProject();
  await using elsewhere = new FakeProject();
  await project.run(["echo"]);
  const { port, token } = JSON.parse(readFileSync(join(project.stateDir, "daemon.json"), "utf8"));
  const env = { BROWSE_URL: `ws://127.0.0.1:${port}/rpc`, BROWSE_TOKEN: token };
  expect(await elsewhere.run(["echo"], { env })).toMatchObject({ exitCode: 0 });
  expect(elsewhere.pids()).toEqual([]);
  const nobody = await elsewhere.run(["echo"], { env: { ...env, BROWSE_URL: "ws://127.0.0.1:1/rpc" } });
  expect(nobody).toMatchObject({ exitCode: 3, stderr: expect.stringContaining("127.0.0.1:1") });
  const unclear = await elsewhere.run(["echo"], { env: { ...env, BROWSE_URL: "nonsense" } });
  expect(unclear).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("BROWSE_URL") });
});
