import * as v from "valibot";
import { BrowseError, toBrowseError } from "../../errors.ts";
import { DomainRules } from "../../security/urls/domain_rules.ts";
import { shapeDiff, valueShape } from "../../skills/making/value_shape.ts";
import { TEST_FILE } from "../../skills/run/skill_tests.ts";
import { domainsOf, type SkillManifest, SkillName } from "../../skills/skill.ts";
import type { SkillFile } from "../../skills/store/skill_files.ts";
import type { WholeSkill } from "../../skills/store/skill_store.ts";
import { defineCommand } from "../command.ts";
import type { SessionContext } from "../context.ts";
import { agreedToRun, doubtOf } from "./_agreed_to_run.ts";
import { BrokenSchema, brokenOf, brokenText } from "./_broken.ts";
import { addressOf, type Fixture, FixtureSchema, readAgain, readNamed } from "./_fixture.ts";

const DAY_MS = 86_400_000;
const FIXTURE = /^fixtures\/(.{1,200})-(\d{4}-\d{2}-\d{2})\.json$/;
const MAX_DIFF = 40;

const CheckedSchema = v.strictObject({
  name: v.string(),
  test: v.pipe(v.picklist(["passed", "failed", "none"]), v.description("The test of its parser")),
  fixture: v.exactOptional(v.pipe(v.string(), v.description("The page that it was made of"))),
  ageDays: v.exactOptional(v.number()),
  url: v.exactOptional(v.string()),
  isStale: v.exactOptional(
    v.pipe(v.boolean(), v.description("With --live: does the page say something of another form now?")),
  ),
  needsSteps: v.exactOptional(
    v.pipe(v.boolean(), v.description("Its page says that only after the skill's steps, and was not looked at")),
  ),
  diff: v.exactOptional(
    v.pipe(v.array(v.string()), v.description("What the result had (-), and what it has now (+), by member and kind")),
  ),
  problem: v.exactOptional(v.string()),
});

type Checked = v.InferOutput<typeof CheckedSchema>;

export default defineCommand({
  name: "skill.check",
  category: "skills",
  summary: "Test skills, and tell which of them a page has outgrown",
  description:
    "Runs the test of the parser, and tells how old the page is that it was made of. With --live that page is opened in a tab of " +
    "its own, read in the same way, and what the parser makes of it is held against what it made of the fixture. What a page says only " +
    "after the skill's steps cannot be looked at in that way, and is told as that.",
  scope: "control",
  effect: "disk",
  needs: "session",
  reach: "daemon",
  output: "page",
  fromPage: "whole",
  timeoutMs: 300_000,
  params: v.strictObject({
    name: v.exactOptional(SkillName),
    live: v.exactOptional(v.pipe(v.boolean(), v.description("Open the pages, and hold them against the fixtures"))),
  }),
  cli: { positional: ["name"] },
  result: v.strictObject({
    skills: v.array(CheckedSchema),
    broken: v.pipe(v.array(BrokenSchema), v.description("Folders that cannot be used as skills, and why")),
  }),
  examples: ["browse skill check", "browse skill check cart-total --live"],
  async run(context, { name, live = false }) {
    const { store } = context.daemon.skills;
    const list = name === undefined ? await store.list() : undefined;
    const names = list?.skills.map((skill) => skill.name) ?? [String(name)];
    const skills: Checked[] = [];
    for (const each of names) {
      const whole = store.read(each);
      // Of many, nobody is asked about each.
      if (live && name !== undefined) await agreedToRun(context, whole.skill);
      skills.push(await checked(context, whole, { live, isAgreed: name !== undefined }));
      context.progress(skills.length, names.length, "skills");
    }
    return { skills, broken: list?.broken.map(brokenOf) ?? [] };
  },
  exitCode: ({ skills, broken }) =>
    broken.length > 0 ||
    skills.some(({ test, isStale, problem }) => test === "failed" || isStale || problem !== undefined)
      ? 1
      : 0,
  render: ({ skills, broken }) =>
    skills.length + broken.length === 0
      ? "No skills"
      : [...skills.flatMap(lines), ...broken.map(brokenText)].join("\n"),
});

async function checked(
  context: SessionContext,
  whole: WholeSkill,
  { live, isAgreed }: { live: boolean; isAgreed: boolean },
): Promise<Checked> {
  const { skill, files } = whole;
  const test = await tested(context, whole);
  const newest = files.filter((file) => FIXTURE.test(file.name)).toSorted((a, b) => (a.name < b.name ? 1 : -1))[0];
  const [, , date] = FIXTURE.exec(newest?.name ?? "") ?? [];
  if (!newest || date === undefined) {
    return {
      name: skill.name,
      ...test,
      ...(live && { problem: "it has no fixture that its page could be held against" }),
    };
  }
  const ageDays = Math.max(0, Math.floor((Date.now() - Date.parse(date)) / DAY_MS));
  const known = { name: skill.name, ...test, fixture: newest.name, ageDays };
  if (!live) return known;
  const doubt = isAgreed ? undefined : doubtOf(skill);
  if (doubt !== undefined) return { ...known, problem: `${doubt}: check it by its name` };
  try {
    const fixture = fixtureIn(newest);
    if (fixture.needsSteps) return { ...known, url: fixture.url, needsSteps: true };
    return { ...known, url: fixture.url, ...(await heldAgainst(context, whole, fixture)) };
  } catch (error) {
    context.signal.throwIfAborted();
    return { ...known, problem: toBrowseError(error).message };
  }
}

async function tested(
  { daemon, signal }: SessionContext,
  whole: WholeSkill,
): Promise<Pick<Checked, "test" | "problem">> {
  if (!whole.files.some((file) => file.name === TEST_FILE)) return { test: "none" };
  try {
    const { ok } = await daemon.skills.runner.test(whole, { signal });
    return ok ? { test: "passed" } : { test: "failed", problem: "The test of the script fails" };
  } catch (error) {
    signal.throwIfAborted();
    return { test: "failed", problem: toBrowseError(error).message };
  }
}

function fixtureIn({ name, bytes }: SkillFile): Fixture {
  try {
    return v.parse(FixtureSchema, JSON.parse(bytes.toString("utf8")));
  } catch {
    throw new BrowseError("invalid_params", `${name} is no fixture that \`skill codify\` has made`);
  }
}

/** Reads the page as it is now, in a tab of its own, which is never the current one. */
async function heldAgainst(
  context: SessionContext,
  whole: WholeSkill,
  { url, command, params, answer }: Fixture,
): Promise<Pick<Checked, "isStale" | "diff">> {
  const { daemon, session, holder, signal } = context;
  const { manifest } = whole.skill;
  assertOfSkill(url, manifest);
  readNamed(command, params);
  const address = context.checkUrl(url);
  const tab = await session.newTabAside(holder);
  try {
    await context.prepare(["goto", address, "--tab", tab.id]).run();
    // A page of the host may have sent it on.
    assertOfSkill(await addressOf(context, tab.id), manifest);
    const now = await readAgain(context, command, params, tab.id);
    const [then, today] = (await daemon.skills.runner.parse(whole, [answer, now], signal)).map(valueShape);
    const diff = shapeDiff(then ?? [], today ?? []);
    return { isStale: diff.length > 0, ...(diff.length > 0 && { diff: diff.slice(0, MAX_DIFF) }) };
  } catch (error) {
    signal.throwIfAborted();
    const { kind, message } = toBrowseError(error);
    if (kind !== "not_found" && kind !== "skill_failed") throw error;
    return { isStale: true, diff: [`+ ${message}`] };
  } finally {
    // By no step: those end with the call, and the tab must not stay.
    if (tab.isOpen) await session.close(tab);
  }
}

/** Throws `forbidden` for what is no web page of the skill's host. */
function assertOfSkill(url: string, manifest: SkillManifest): void {
  const domains = domainsOf(manifest);
  const isOfHost = domains === undefined || new DomainRules(domains).allows(url);
  if (isOfHost && /^https?:/i.test(url)) return;
  throw new BrowseError(
    "forbidden",
    `${JSON.stringify(url.slice(0, 200))} is no page of the skill's host, ${manifest.host}`,
  );
}

function lines({ name, test, fixture, ageDays, url, isStale, needsSteps, diff = [], problem }: Checked): string[] {
  const age = fixture === undefined ? "" : `; ${fixture} is ${ageDays === 0 ? "of today" : `${ageDays} days old`}`;
  const now = isStale ? "says something of another form now:" : "is as it was";
  const live = isStale === undefined ? "" : `; the last page (${url}) ${now}`;
  const steps = needsSteps
    ? `; its page is not looked at, as it says that only after its steps: \`browse skill run ${name}\` tells`
    : "";
  return [
    `${name}: ${test === "none" ? "no test" : `test ${test}`}${age}${live}${steps}`,
    ...diff.map((line) => `  ${line}`),
    ...(problem === undefined ? [] : [`  ${problem}`]),
  ];
}
