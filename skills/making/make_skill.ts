/** From a draft to a skill: staged, tested, agreed to, and put in its place by one rename. */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { BrowseError } from "../../errors.ts";
import type { SkillRunner, TestableSkill } from "../run/skill_runner.ts";
import { TEST_FILE } from "../run/skill_tests.ts";
import { MANIFEST_FILE, SCRIPT_FILE, SDK_FILE } from "../skill.ts";
import { runningSdk } from "../store/read_skill.ts";
import { listSkillFiles, readSkillFiles } from "../store/skill_files.ts";
import { Staging } from "../store/staging.ts";
import type { Draft } from "./draft.ts";
import { specText } from "./skill_texts.ts";

const MAX_TOLD = 4_000;

export interface Making {
  /** The user's state folder, where it is staged. */
  home: string;
  /** The folder that it becomes. */
  to: string;
  draft: Pick<Draft, "manifest" | "script" | "host" | "dropped" | "warnings">;
  /** The page of the last read, and what that answered, as JSON. */
  page: { html: string; fixture: { answer: Record<string, unknown> } };
  /** Has it tried behind the walls that skills run behind. */
  runner: Pick<SkillRunner, "parse" | "test">;
  signal: AbortSignal;
  /** Resolves when a person has agreed to what is shown; `whole` is the same for the same text. */
  agree: (shown: string, whole: string) => Promise<void>;
}

/** Throws `skill_failed` for a test that fails, `blocked_path`, `too_large`, and what `agree` throws. Leaves nothing of what it could not finish. */
export async function makeSkill({ home, to, draft, page, runner, signal, agree }: Making): Promise<void> {
  const { manifest, script, host, dropped, warnings } = draft;
  using staging = Staging.open(home);
  const fixture = `${host.replace(/[^a-z0-9.-]/gi, "_")}-${new Date().toISOString().slice(0, 10)}`;
  await staging.write(MANIFEST_FILE, manifest);
  await staging.write(SCRIPT_FILE, script);
  await staging.write(SDK_FILE, runningSdk());
  await staging.write(`fixtures/${fixture}.html`, page.html);
  await staging.write(`fixtures/${fixture}.json`, `${JSON.stringify(page.fixture, undefined, 2)}\n`);
  const name = basename(to);
  const [expected] = await runner.parse(stagedIn(staging.dir, name), [page.fixture.answer], signal);
  const spec = specText(fixture, expected);
  await staging.write(TEST_FILE, spec);
  const { ok, lines } = await runner.test(stagedIn(staging.dir, name), { signal });
  if (!ok) throw testFailed(lines);
  const whole = createHash("sha256")
    .update(JSON.stringify([manifest, script, spec]))
    .digest("hex");
  const remarks = [
    ...dropped.map(({ id, command, why }) => `Left out ${command} (${id}): ${why}`),
    ...warnings.map((warning) => `Note: ${warning}`),
  ];
  await agree([manifest, script, spec, ...remarks].join("\n"), whole);
  signal.throwIfAborted();
  staging.commit(to);
}

function stagedIn(dir: string, name: string): TestableSkill {
  return { skill: { name, dir }, files: readSkillFiles(dir, listSkillFiles(dir)).files };
}

function testFailed(lines: readonly string[]): BrowseError {
  return new BrowseError("skill_failed", "The test of the script fails", {
    hint: "Read what it printed, in the details",
    details: { printed: lines.join("\n").trim().slice(-MAX_TOLD) },
  });
}
