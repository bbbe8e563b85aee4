/** What the next file finds. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SharedProject } from "./shared_project.ts";

test("a file has the daemon of the one before, without what that one had in it", async () => {
  const first = await SharedProject.open();
  await first.run("newtab");
  await first.run("newtab", "--session", "other");
  await first.run("state", "save", "mine");
  writeFileSync(join(first.dir, "mine.txt"), "mine");
  await first[Symbol.asyncDispose]();
  await using second = await SharedProject.open();
  expect(second.daemon()).toEqual(first.daemon());
  expect(existsSync(join(second.dir, "mine.txt"))).toBe(false);
  expect(await second.json("sessions")).toEqual({ sessions: [] });
  expect(await second.json("state", "list")).toMatchObject({ states: [] });
  expect(await second.journal()).not.toContain("newtab");
});

async function pairAgent(project: SharedProject): Promise<void> {
  const { url, key } = await project.json("pair", "visitor");
  await fetch(`${url}/pair`, { method: "POST", body: String(key) });
}

test.each([
  ["an agent", pairAgent],
  ["a policy", async ({ stateDir }: SharedProject) => writeFileSync(join(stateDir, "policy.json"), "{}")],
  ["another daemon", async (project: SharedProject) => await project.run("restart")],
])("a file that leaves %s fails, and the next one has what it should", async (_what, leave) => {
  const first = await SharedProject.open();
  await leave(first);
  const left = first.daemon();
  await expect(first[Symbol.asyncDispose]()).rejects.toThrow("what this file leaves in the daemon");
  await using second = await SharedProject.open();
  expect(second.daemon()?.pid).not.toBe(left?.pid);
  expect(await second.json("agents")).toMatchObject({ agents: [] });
  expect(existsSync(join(second.stateDir, "policy.json"))).toBe(false);
});
