/** Daemons that are stopped, all at the same time: what is tested is for how long they are waited for. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { isRunning } from "../harness/is_running.ts";
import { Project } from "../harness/project.ts";
import { FakeProject } from "./fake_project.ts";

test.concurrent("a daemon that answers nothing for 20 s is neither killed nor replaced: every command waits for it", async () => {
  await using project = new Project({}, { ownProcesses: true });
  const { pid } = await project.json("status");
  process.kill(Number(pid), "SIGSTOP");
  const asking = Promise.all([project.cli(["status", "--json"]), project.cli(["status", "--json"])]);
  try {
    await setTimeout(20_000);
  } finally {
    process.kill(Number(pid), "SIGCONT");
  }
  for (const { exitCode, stdout, stderr } of await asking) {
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ pid });
    expect(stderr).toContain("is busy; still waiting");
  }
}, 60_000);

test.concurrent("a daemon that is too busy to answer is waited for and not replaced", async () => {
  await using project = new FakeProject();
  await project.run(["echo"]);
  const [pid = 0] = project.pids();
  process.kill(pid, "SIGSTOP");
  const answer = await project.run(["echo"], {
    onChild: (child) => child.stderr?.once("data", () => process.kill(pid, "SIGCONT")),
  });
  expect(answer).toMatchObject({ exitCode: 0, stderr: `The daemon (process ${pid}) is busy; still waiting\n` });
  expect(project.pids()).toEqual([pid]);
});

test.concurrent("a daemon that hangs does not hold a command for longer than its --timeout, and `stop` ends it", async () => {
  await using project = new Project({}, { ownProcesses: true });
  const { pid } = await project.json("status");
  process.kill(Number(pid), "SIGSTOP");
  expect(await project.refusal("status", "--timeout", "300ms")).toMatchObject({
    kind: "timeout",
    exitCode: 124,
    message: expect.stringMatching(`^The daemon \\(process ${pid}\\) gave no answer in 300 ms: .* may or may not`),
    hint: expect.stringContaining("`browse stop` ends a daemon that hangs"),
  });
  // Nothing says where it is any more, but who it is.
  rmSync(join(project.stateDir, "daemon.json"));
  expect(await project.json("stop")).toEqual({ pid, killed: true });
  expect(isRunning(Number(pid))).toBe(false);
  // It was asked to stop: nobody has to hear that it died.
  expect(await project.cli(["status"])).toMatchObject({ exitCode: 0, stderr: "" });
});
