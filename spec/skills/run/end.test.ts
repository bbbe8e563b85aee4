/** What is left of a run when its daemon is killed, and what a trusted skill has that others have not. */
import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isRunning, untilEnded } from "../../harness/is_running.ts";
import { Project } from "../../harness/project.ts";
import { writeSkill } from "../../harness/skills.ts";
import { type Running, startRunning } from "./running.ts";

let running: Running;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** Processes that are below the given one. */
function childrenOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...childrenOf(child)]);
}

test.each([
  ["yields", "await new Promise(() => setInterval(() => {}, 1_000));"],
  ["does not yield", "for (;;);"],
  [
    "will not be told",
    'process.removeAllListeners("disconnect"); process.on("SIGTERM", () => {}); for (;;) await new Promise((resolve) => setTimeout(resolve, 10));',
  ],
])("a skill that %s ends with a daemon that is killed", async (_how, body) => {
  await using project = new Project({}, { ownProcesses: true });
  writeSkill(join(project.dir, "home"), "staying", { manifest: "source: human", body: `log("begun"); ${body}` });
  await project.run("start");
  const { pid } = project.daemon()!;
  const before = new Set(childrenOf(pid));
  const client = project.start(["skill", "run", "staying"]);
  await once(client.stderr, "data");
  const own = childrenOf(pid).filter(
    (child) => !before.has(child) && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("--permission"),
  );
  expect(own.length).toBeGreaterThan(0);
  const ended = once(client, "exit");
  process.kill(pid, "SIGKILL");
  await untilEnded(own, 10_000);
  expect(own.filter(isRunning)).toEqual([]);
  client.kill();
  await ended;
});

test("a skill's process has its channel, its output, and no other descriptor of the daemon's", async () => {
  const found: string[][] = [];
  const onLog = () => {
    for (const pid of running.watched.keys()) {
      const pids = [pid, ...childrenOf(pid)];
      found.push(pids.flatMap((each) => readdirSync(`/proc/${each}/fd`).flatMap((fd) => linkOf(each, fd))));
    }
  };
  await running.run(
    running.skill('log("begun"); await new Promise((resolve) => setTimeout(resolve, 300));'),
    {},
    { onLog },
  );
  const ours = new Set(readdirSync("/proc/self/fd").flatMap((fd) => linkOf("self", fd)));
  const shared = found.flat().filter((link) => /^(?:socket|pipe):/.test(link) && ours.has(link));
  expect(found.length).toBeGreaterThan(0);
  expect(shared).toEqual([]);
});

function linkOf(pid: number | string, fd: string): string[] {
  try {
    return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
  } catch {
    return [];
  }
}

test("a trusted skill runs as any process does, but for our secrets, and by a WebSocket of its own", async () => {
  process.env.BROWSE_STATE_KEY = "hunter2";
  const body = `
    const fs = process.getBuiltinModule("node:fs");
    const { BROWSE_URL, BROWSE_STATE_KEY, PATH } = process.env;
    return [(await browse.call("echo", { text: "hi" })).text, BROWSE_URL, BROWSE_STATE_KEY, PATH !== undefined, fs.existsSync("/etc")];`;
  const { value, error } = await running.run(running.skill(body, { trusted: true }, { trusted: true }));
  delete process.env.BROWSE_STATE_KEY;
  expect(error).toBeUndefined();
  expect(value).toEqual(["hi", running.wire.url, null, true, true]);
  expect(running.wire.seen.at(-1)!.caller.token).toMatchObject({ kind: "skill" });
  expect(running.wire.tokens.isLive(running.wire.seen.at(-1)!.caller.token)).toBe(false);
});

test("what its manifest asks for is nothing without a person's word", async () => {
  const { value } = await running.run(
    running.skill("return Object.keys(process.env).includes('PATH');", { trusted: true }),
  );
  expect(value).toBe(false);
});
