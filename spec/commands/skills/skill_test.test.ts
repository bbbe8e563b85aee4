/** A skill's own tests, run where the skill runs. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SharedProject } from "../../harness/shared_project.ts";
import { writeSkill } from "../../harness/skills.ts";

const PARSER =
  'import { readFileSync } from "node:fs";\nimport test from "node:test";\nimport assert from "node:assert";\n';

let project: SharedProject;

beforeAll(async () => {
  project = await SharedProject.open();
});

afterAll(async () => {
  rmSync(join(project.dir, "home/skills"), { recursive: true, force: true });
  await project[Symbol.asyncDispose]();
});

function skill(name: string, spec?: string): string {
  const dir = writeSkill(join(project.dir, "home"), name, {
    manifest: "source: human",
    body: "return 1;",
    files: { ...(spec && { "script.spec.ts": PARSER + spec }), "page.html": "<title>Lamps</title>" },
  });
  return dir;
}

test("tells how many passed", async () => {
  skill("passing", 'test("one", () => assert.ok(true));\ntest("two", async (): Promise<void> => assert.ok(true));');
  expect(await project.json("skill", "test", "passing")).toEqual({ skill: "passing", passed: 2, failed: 0, ok: true });
});

test("says what failed, and exits with 1", async () => {
  skill("failing", 'test("price", () => assert.equal(12, 13));');
  const { stdout, exitCode } = await project.cli(["skill", "test", "failing"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/not ok 1 - price[\s\S]*0 passed, 1 failed/);
});

test("reads the skill's files, and none of anybody else's", async () => {
  const read = 'test("own", () => assert.match(readFileSync(new URL("page.html", import.meta.url), "utf8"), /Lamps/));';
  const steal =
    'test("theirs", () => assert.throws(() => readFileSync("/etc/hostname"), { code: "ERR_ACCESS_DENIED" }));';
  skill("reading", `${read}\n${steal}`);
  expect(await project.json("skill", "test", "reading")).toMatchObject({ passed: 2, ok: true });
});

test("that do not run to their end have not passed", async () => {
  skill("leaving", "process.exit(0);");
  skill("throwing", 'throw new Error("No fixture");');
  for (const name of ["leaving", "throwing"]) {
    const { exitCode, stdout } = await project.cli(["skill", "test", name]);
    expect([name, exitCode, stdout]).toEqual([name, 1, expect.stringContaining("0 passed")]);
  }
});

test("a skill without tests is told so", async () => {
  skill("untested");
  expect(await project.refusal("skill", "test", "untested")).toMatchObject({ kind: "not_found" });
});
