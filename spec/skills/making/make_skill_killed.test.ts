/** However far it has come when it is killed: no list shows half of a skill, and the next one clears what is left. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { SkillStore } from "../../../skills/store/skill_store.ts";
import { Staging } from "../../../skills/store/staging.ts";

const MOMENTS = 50;
const MAKE = join(import.meta.dirname, "programs", "make_one.ts");
/** Moments of the time that it takes, the same ones in every run. */
const shares = fc.sample(fc.double({ min: 0, max: 1.2, noNaN: true, noDefaultInfinity: true }), {
  numRuns: MOMENTS,
  seed: 1,
});
const home = realpathSync(mkdtempSync(join(tmpdir(), "browse-making-")));
const store = new SkillStore({ stateDir: join(home, "project"), home });

afterAll(() => rmSync(home, { recursive: true }));

function making(name: string): ChildProcess {
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", MAKE, home, store.dirOf("user", name)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Resolves when it has begun. */
async function begun(child: ChildProcess): Promise<void> {
  if (child.stdout) await once(child.stdout, "data");
}

it(`leaves no half skill at any of ${MOMENTS} moments`, async () => {
  const first = making("whole");
  await begun(first);
  const started = performance.now();
  await once(first, "close");
  const tookMs = performance.now() - started;
  let made = 0;
  for (const [moment, share] of shares.entries()) {
    const child = making(`killed-${moment}`);
    await begun(child);
    await delay(share * tookMs);
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    const { skills, broken, problems } = await store.list();
    expect({ broken, problems }).toEqual({ broken: [], problems: [] });
    made = skills.length;
  }
  expect(made).toBeGreaterThan(0);
  Staging.open(home)[Symbol.dispose]();
  expect(readdirSync(join(home, ".tmp")).filter((name) => !name.startsWith("."))).toEqual([]);
}, 120_000);
