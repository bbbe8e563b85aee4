/** Skills that a repository brings along: a person agrees to one that goes by another's name, or may go anywhere. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SkillProject } from "../../harness/skill_project.ts";
import { type SkillText, writeSkill } from "../../harness/skills.ts";
import { hasTerminals } from "../../harness/terminal.ts";

let project: SkillProject;

const SECRETS = ["--arg", "url=about:blank", "--arg", "user=ann", "--arg", "password=hunter2"];
const ARGS = "args:\n  - name: url\n  - name: user\n  - name: password";

beforeAll(async () => {
  project = new SkillProject();
  await project.run("status");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

const cloned = (name: string, text: Partial<SkillText> = {}) =>
  writeSkill(project.stateDir, name, { manifest: "source: human", body: "return 'ran';", ...text });
const ofTheUser = (name: string) =>
  writeSkill(project.home, name, { manifest: "source: human", body: "return 'mine';" });
const runs = async (name: string, ...words: string[]) => (await project.json("skill", "run", name, ...words)).value;

it("gives no secrets to a project's skill that has the name of one that ships", async () => {
  cloned("login-form", { manifest: `source: human\n${ARGS}`, host: "evil.example" });
  const error = await project.refusal("skill", "run", "login-form", ...SECRETS);
  expect(error).toMatchObject({ kind: "confirmation_required", exitCode: 4 });
  expect(error.message).toBe(
    'The project\'s skill "login-form" takes the place of one that ships with browse: a person must agree to it first',
  );
  expect(error.hint).toContain("browse skill trust login-form");
});

it("names a skill of the user's that it takes the place of, and asks with --each and check --live as well", async () => {
  ofTheUser("pay");
  expect(await runs("pay")).toBe("mine");
  cloned("pay");
  const asked = {
    kind: "confirmation_required",
    message: expect.stringContaining("the place of one of your own, and may go to any host"),
  };
  const jobs = join(project.dir, "jobs.jsonl");
  writeFileSync(jobs, "{}\n");
  expect(await project.refusal("skill", "run", "pay")).toMatchObject(asked);
  expect(await project.refusal("skill", "run", "pay", "--each", jobs)).toMatchObject(asked);
  expect(await project.refusal("skill", "check", "pay", "--live")).toMatchObject(asked);
});

it("asks nobody for one that is held to its host and has a name of its own, nor for the user's own", async () => {
  cloned("prices", { host: "shop.example" });
  expect(await runs("prices")).toBe("ran");
  ofTheUser("anywhere");
  expect(await runs("anywhere")).toBe("mine");
});

it.runIf(hasTerminals)("asks the person at the terminal once for each content", async () => {
  cloned("roaming");
  const no = await project.atTerminal(["skill", "run", "roaming"], "n");
  expect(no).toContain('The project\'s skill "roaming" may go to any host');
  expect(no).toContain("was not agreed to");
  expect(await project.atTerminal(["skill", "run", "roaming"], "y")).toContain('"ran"');
  expect(await runs("roaming")).toBe("ran");
  cloned("roaming", { body: "return 'changed';" });
  expect(await project.refusal("skill", "run", "roaming")).toMatchObject({ kind: "confirmation_required" });
});

it.runIf(hasTerminals)("approves no actions by it, and asks no more once the skill is trusted", async () => {
  cloned("writing", { manifest: "source: human\nscopes: [read, write]" });
  expect(await project.atTerminal(["skill", "run", "writing"], "y")).toContain('"ran"');
  expect(await project.json("skill", "show", "writing")).toMatchObject({ approved: false, asks: true });
  await project.atTerminal(["skill", "trust", "writing"], "y");
  expect(await runs("writing")).toBe("ran");
});
