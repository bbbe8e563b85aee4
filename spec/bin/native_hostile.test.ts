/**
 * Bytes that no daemon would send, to the native client with the compiler's checks for memory and for what C leaves undefined.
 * A longer run: `HOSTILE_MS=600000 npm test -- spec/bin/native_hostile.test.ts`, with `BROWSE_SEED=random` for other cases.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileNative } from "../../bin/native/compile.ts";
import { isNativeBuilt } from "../harness/client.ts";
import { version } from "../harness/version.ts";
import { FakeProject } from "./fake_project.ts";
import { ScriptedDaemon } from "./scripted_daemon.ts";
import { pieces, spoken } from "./spoken.ts";

const FLAGS = "-std=c11 -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all".split(" ");
const { HOSTILE_MS = "2000" } = process.env;
const limitMs = Number(HOSTILE_MS);
/** Of a client that is checked: what it found, it says on stderr. */
const env = { ASAN_OPTIONS: "exitcode=99", UBSAN_OPTIONS: "exitcode=99" };

let project: FakeProject;
let daemon: ScriptedDaemon;
beforeAll(async () => {
  project = new FakeProject();
  daemon = new ScriptedDaemon();
  daemon.closes = true;
  await daemon.open(project);
  // Whatever is handed over ends well.
  if (isNativeBuilt)
    compileNative({ version, node: "/bin/true", to: join(project.app, "native/browse"), flags: FLAGS });
});
afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await project[Symbol.asyncDispose]();
});

async function expectNoFinding(argv: readonly string[]): Promise<void> {
  const { exitCode, stderr } = await project.run(argv, { env, native: true });
  expect([exitCode, stderr.includes("Sanitizer") || stderr.includes("runtime error")]).toEqual([
    expect.any(Number),
    false,
  ]);
}

/** Changes bytes, takes some away and puts others in. */
const harmed = (whole: fc.Arbitrary<Buffer>) =>
  fc
    .record({
      whole,
      harms: fc.array(fc.record({ at: fc.nat(), drop: fc.nat({ max: 20 }), put: fc.uint8Array({ maxLength: 12 }) }), {
        minLength: 1,
        maxLength: 5,
      }),
    })
    .map(({ whole: bytes, harms }) =>
      harms.reduce((left, { at, drop, put }) => {
        const start = at % (left.length + 1);
        return Buffer.concat([left.subarray(0, start), put, left.subarray(start + drop)]);
      }, bytes),
    );

const options = { numRuns: 1_000_000, interruptAfterTimeLimit: limitMs };

describe.skipIf(!isNativeBuilt)("Nothing goes wrong in memory", { timeout: limitMs * 2 + 60_000 }, () => {
  it("whatever the daemon sends", async () => {
    const words = fc.subarray(["--json", "--quiet", "--timeout=5s"]);
    await fc.assert(
      fc.asyncProperty(harmed(spoken), pieces, words, async (script, lengths, flags) => {
        daemon.script = script;
        daemon.pieces = lengths;
        await expectNoFinding(["url", ...flags]);
      }),
      options,
    );
  });

  it("whatever is in daemon.json", async () => {
    const state = join(project.stateDir, "daemon.json");
    mkdirSync(project.stateDir, { recursive: true });
    const whole = readFileSync(state);
    await fc.assert(
      fc.asyncProperty(harmed(fc.constant(whole)), async (text) => {
        writeFileSync(state, text);
        await expectNoFinding(["url"]);
      }),
      options,
    );
  });
});
