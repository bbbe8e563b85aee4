import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { Project } from "../harness/project.ts";

test("a daemon that answers nothing for 20 s is neither killed nor replaced: every command waits for it", async () => {
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
