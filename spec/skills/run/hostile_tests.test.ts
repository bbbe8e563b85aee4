/** Tests and parsers are a stranger's too: behind the same walls and bounds as a run, and from the bytes that were read. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { rootToken } from "../../../security/tokens/token.ts";
import { outerWall } from "../../../skills/run/outer_wall.ts";
import { DENIED, READS, SIGNALS, STARTS, trying } from "./hostile_attempts.ts";
import { filesOf, type Running, startRunning } from "./running.ts";

const outer = await outerWall();
const signal = new AbortController().signal;
const PARSES = "export const parse = async (answer) => { if (!answer) return; ";
const walls = [
  { wall: "the permission model alone", isThere: true, open: async () => ({ reason: "left out" }) },
  { wall: "the permission model and bubblewrap", isThere: outer.path !== undefined, open: outerWall },
];

describe.each(walls)("behind $wall", ({ isThere, open }) => {
  let running: Running;
  let attempts: string;

  beforeAll(async () => {
    running = await startRunning(open);
    const secret = join(running.dir, "secret.json");
    writeFileSync(secret, "{}");
    attempts = trying(
      {
        ...SIGNALS,
        ...STARTS,
        "a file": READS["a file"] ?? "",
        "a file as a module": READS["a file as a module"] ?? "",
      },
      { secret, free: join(running.dir, "free.db"), port: 1 },
    );
  });

  afterAll(async () => await running[Symbol.asyncDispose]());

  afterEach(() => expect(running.watched.size).toBe(0));

  test.skipIf(!isThere)("a parser gets through to nothing", async () => {
    const skill = running.skill("", {}, { top: `${PARSES}${attempts} };` });
    const [got] = await running.runner.parse({ skill, files: filesOf(skill) }, [{ text: "1" }], signal);
    expect(Object.entries(got as object).filter(([, code]) => !DENIED.has(code))).toEqual([]);
    expect(Object.keys(got as object)).toContain("a debugger in its parent");
  });

  test.skipIf(!isThere)("tests get through to nothing", async () => {
    const skill = running.skill("");
    const spec = `import test from "node:test";
const got = await (async () => { ${attempts} })();
console.log("GOT " + JSON.stringify(got));
test("one", () => {});`;
    writeFileSync(join(skill.dir, "script.spec.ts"), spec);
    const { ok, lines } = await running.runner.test({ skill, files: filesOf(skill) }, { signal });
    const said = lines.find((line) => line.includes("GOT {"))?.replace(/^.*GOT /, "") ?? "{}";
    const got = Object.entries(JSON.parse(said) as Record<string, string>);
    expect(got.filter(([, code]) => !DENIED.has(code))).toEqual([]);
    expect([ok, got.length > 0]).toEqual([true, true]);
  });
});

describe("their bounds", () => {
  const MUCH = "for (const all = []; ; ) all.push(Buffer.alloc(32 << 20, 1));";
  let running: Running;

  beforeAll(async () => {
    running = await startRunning();
  });

  afterAll(async () => await running[Symbol.asyncDispose]());

  afterEach(() => expect(running.watched.size).toBe(0));

  const parsing = async (top: string) => {
    const skill = running.skill("", {}, { top });
    return await running.runner.parse({ skill, files: filesOf(skill) }, [1], signal).catch((error) => error);
  };

  test("a parser's and a test's memory", async () => {
    expect((await parsing(`${PARSES}${MUCH} };`)).message).toMatch(/took more than 512 MB/);
    const skill = running.skill("");
    writeFileSync(join(skill.dir, "script.spec.ts"), MUCH);
    const ended = await running.runner.test({ skill, files: filesOf(skill) }, { signal }).catch((error) => error);
    expect(ended.message).toMatch(/took more than 512 MB/);
  });

  test.each([
    ["what is no answer", `process.send("nonsense");`, /cannot be read/],
    [
      "an answer without end",
      `const fs = process.getBuiltinModule("fs"); for (;;) try { fs.writeSync(3, "x".repeat(65_536)); } catch { await null; }`,
      /over 8000000/,
    ],
    ["nothing, and leaves", "process.exit(0);", /before it has given/],
    ["an error", 'throw new Error("no price");', /fails: "no price"/],
  ])("a parser that gives %s is told so", async (_what, body, message) => {
    expect(await parsing(`${PARSES}${body} };`)).toMatchObject({
      kind: "skill_failed",
      message: expect.stringMatching(message),
    });
  });

  test("tests that wait without end are ended", async () => {
    const skill = running.skill("");
    writeFileSync(join(skill.dir, "script.spec.ts"), "setInterval(() => {}, 1_000);");
    const ended = running.runner.test({ skill, files: filesOf(skill) }, { signal, timeoutMs: 1_000 });
    await expect(ended).rejects.toMatchObject({ kind: "timeout" });
  });
});

describe("what they import", () => {
  const HELPERS = {
    "typed.mts": "export const typed: number = 1;",
    "plain.mjs": "export const plain = 1;",
    "common.cjs": "module.exports = { common: 1 };",
    "script.js": "export const js = 1;",
    "data.json": '{ "data": 1 }',
  };
  const TOP = `import { typed } from "./typed.mts";
import { plain } from "./plain.mjs?again";
import common from "./common.cjs";
import { js } from "./script.js";
import data from "./data.json" with { type: "json" };
const sum = [typed, plain, common.common, js, data.data];`;
  let running: Running;

  beforeAll(async () => {
    running = await startRunning();
  });

  afterAll(async () => await running[Symbol.asyncDispose]());

  const made = (body: string, { top = "", trusted = false } = {}) => {
    const skill = running.skill(body, {}, { top, trusted });
    for (const [name, text] of Object.entries(HELPERS)) writeFileSync(join(skill.dir, name), text);
    return skill;
  };
  const run = { by: rootToken(), session: "default", signal, onLog: () => {} };

  test.each([false, true])("is what was read with the skill (trusted: %s)", async (trusted) => {
    const skill = made("return sum;", { top: TOP, trusted });
    const files = filesOf(skill);
    for (const name of Object.keys(HELPERS)) writeFileSync(join(skill.dir, name), "throw new Error('swapped');");
    expect(await running.runner.run({ skill, files }, {}, run)).toEqual([1, 1, 1, 1, 1]);
    await running.runner.rest();
  });

  test.each([
    [false, "file"],
    [true, "file"],
    [true, "link"],
  ])("is nothing that came later (trusted: %s, a %s)", async (trusted, how) => {
    const skill = made('return await import("./l" + "ater.mjs").catch((error) => error.code);', { trusted });
    const files = filesOf(skill);
    const outside = join(running.dir, "outside.mjs");
    writeFileSync(outside, "export default 1;");
    // A file, or a link that leads out of the folder.
    if (how === "file") writeFileSync(join(skill.dir, "later.mjs"), "export default 1;");
    else symlinkSync(outside, join(skill.dir, "later.mjs"));
    const value = await running.runner.run({ skill, files }, {}, run);
    expect(value).toBe("ERR_ACCESS_DENIED");
    await running.runner.rest();
  });
});
