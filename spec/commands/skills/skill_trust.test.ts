/** A person agrees to a skill at a terminal: real client, real daemon, real terminal. */
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { Project } from "../../harness/project.ts";
import { answerAtTerminal, hasTerminals } from "../../harness/terminal.ts";
import { FRONT, writeSkill } from "../../skills/store/skill_folders.ts";

let project: Project;
let env: Record<string, string>;
let dir: string;
let trustFile: string;

beforeAll(async () => {
  project = new Project();
  env = { BROWSE_STATE_DIR: project.stateDir, BROWSE_HOME: join(project.dir, "home") };
  trustFile = join(project.dir, "home/skills/.trust.json");
  await project.run("status");
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
});

const MANIFEST = `---\nname: shop\n${FRONT}\nscopes: [read, write]\ntrusted: true\n---\n`;

beforeEach(async () => {
  dir = writeSkill(join(project.stateDir, "skills"), "shop", { "SKILL.md": MANIFEST });
  await project.run("skill", "trust", "shop", "--revoke");
});

const trustAtTerminal = (answer: string) =>
  answerAtTerminal(["skill", "trust", "shop"], answer, { cwd: project.dir, env });
const shown = async () => {
  const { trusted, approved, asks } = await project.json("skill", "show", "shop");
  return { trusted, approved, asks };
};
const ALL = { trusted: true, approved: true, asks: false };
const NOTHING = { trusted: false, approved: false, asks: true };

it.runIf(hasTerminals)("asks a person once for each content, and shows what is agreed to", async () => {
  const { hash } = await project.json("skill", "show", "shop");
  const question = await trustAtTerminal("y");
  expect(question).toContain('The skill "shop" (project): "A skill"');
  expect(question).toContain('may read, write on "shop.example"');
  expect(question).toContain("RUNS OUTSIDE THE SANDBOX");
  expect(question).toContain('"script.ts (');
  expect(question).toContain(String(hash));
  expect(await shown()).toEqual(ALL);
  expect(await project.run("skill", "trust", "shop")).toContain("was agreed to before");
  appendFileSync(join(dir, "script.ts"), "\n");
  expect(await shown()).toEqual(NOTHING);
});

it.runIf(hasTerminals)("agrees to nothing without a yes, and takes a yes back", async () => {
  expect(await trustAtTerminal("")).toContain("Nothing was agreed to");
  expect(await shown()).toEqual(NOTHING);
  await trustAtTerminal("yes");
  expect(await shown()).toEqual(ALL);
  expect(await project.run("skill", "trust", "shop", "--revoke")).toBe('Nothing of "shop" is agreed to any more');
  expect(await shown()).toEqual(NOTHING);
});

it.runIf(hasTerminals)("says of an upgrade that it asks again", async () => {
  appendFileSync(join(dir, "client.ts"), "\n");
  await trustAtTerminal("y");
  expect(await project.json("skill", "upgrade", "shop")).toMatchObject({
    upgraded: [{ name: "shop", asksAgain: true }],
  });
  expect(await shown()).toEqual(NOTHING);
});

it("takes no program's word", async () => {
  const { stderr, exitCode } = await project.cli(["skill", "trust", "shop"], { stdin: "y\n", env: {} });
  expect([stderr, exitCode]).toEqual([expect.stringContaining("Only a person at a terminal"), 4]);
  expect(await shown()).toEqual(NOTHING);
});

/** Command lines of a paired agent that holds control, and that `by` pairs. */
async function agent(
  name = "helper",
  by = (...argv: string[]) => project.run(...argv),
): Promise<(...argv: string[]) => Promise<string>> {
  const printed = await by("pair", name, "--scopes", "read,control", "--tabs", "all");
  const [, key = ""] = /^KEY=(\S+)$/m.exec(printed) ?? [];
  const [, url = ""] = /BROWSE_URL=(\S+)$/m.exec(printed) ?? [];
  const answer = await fetch(`${url}/pair`, { method: "POST", body: key, headers: { accept: "text/plain" } });
  const token = (await answer.text()).trim();
  return async (...argv) => {
    const { stdout, stderr } = await project.cli(argv, { env: { BROWSE_URL: url, BROWSE_TOKEN: token } });
    return stdout + stderr;
  };
}

it.runIf(hasTerminals)(
  "agrees for an agent only what a person confirms, and only to the content they saw",
  async () => {
    const ask = await agent();
    const refusedWith = async () => /browse confirm (\w{6})/.exec(await ask("skill", "trust", "shop"))?.[1] ?? "";
    const confirm = (id: string) => answerAtTerminal(["confirm", id], "y", { cwd: project.dir, env });
    const question = await confirm(await refusedWith());
    expect(question).toContain('client helper asks for "skill.trust"');
    expect(question).toContain('"outsideSandbox":true');
    appendFileSync(join(dir, "script.ts"), "\n");
    const again = await refusedWith();
    expect(again).toMatch(/^\w{6}$/);
    expect(await shown()).toEqual(NOTHING);
    await confirm(again);
    expect(await ask("skill", "trust", "shop")).toContain("runs without being asked, outside the sandbox");
    expect(await shown()).toEqual(ALL);
    expect(await ask("confirm", "aaaaaa")).toContain("No call");
  },
);

it("takes no yes of an agent that whoever asks has paired", async () => {
  const ask = await agent("asking");
  const accomplice = await agent("accomplice", (...argv) => ask(...argv, "--ttl", "1h"));
  const [, id = ""] = /browse confirm (\w{6})/.exec(await ask("skill", "trust", "shop")) ?? [];
  expect(await accomplice("confirm", id)).toContain("A caller cannot allow its own call");
  expect(await (await agent("other"))("confirm", id)).toContain("Only a person at a terminal");
  expect(await shown()).toEqual(NOTHING);
});

it("says that its file is damaged, trusts nothing then, and leaves it as it is", async () => {
  writeFileSync(trustFile, "{", { mode: 0o600 });
  expect(await shown()).toEqual(NOTHING);
  expect(await project.run("skill", "list")).toContain(`! ${trustFile}: it is not valid JSON`);
  expect(await project.refusal("skill", "trust", "shop", "--revoke")).toMatchObject({ kind: "state_unreadable" });
  expect(readFileSync(trustFile, "utf8")).toBe("{");
  rmSync(trustFile);
});
