/** Many jobs of a skill: one row of results for each, whatever happens to jobs, workers and the run. */
import { appendFileSync, linkSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rootToken } from "../../../security/tokens/token.ts";
import { argumentsOf } from "../../../skills/run/arguments.ts";
import { type EachOptions, EachRuns } from "../../../skills/run/each.ts";
import type { ResultRow } from "../../../skills/run/each_results.ts";
import type { Skill } from "../../../skills/skill.ts";
import { filesOf, type Running, startRunning } from "./running.ts";

const ARGS = ["n", "how", "password"].map((name) => ({ name, required: false }));

let running: Running;
let count = 0;

beforeAll(async () => {
  running = await startRunning();
});

afterAll(async () => {
  await running[Symbol.asyncDispose]();
});

/** A skill whose jobs do what they are told, and a file of them. */
function each(lines: readonly (object | string)[], body: string, options: Partial<EachOptions> = {}) {
  const skill = running.skill(body, {
    args: ARGS,
    scopes: options.isReadOnly === false ? ["read", "write"] : ["read"],
  });
  const jobs = join(running.dir, `jobs-${++count}.jsonl`);
  const results = options.results ?? join(running.dir, `results-${count}.jsonl`);
  writeFileSync(jobs, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
  const started: string[] = [];
  const runs = new EachRuns();
  const run = async (more: Partial<EachOptions> = {}) =>
    await runs.run({
      skill: skill.name,
      ...{ jobs, results, concurrency: 2, isReadOnly: true, timeoutMs: 10_000, begun: () => {}, progress: () => {} },
      check: (given) => argumentsOf(skill, [], given),
      open: async () => {
        started.push("a worker");
        return await workerOf(skill);
      },
      signal: new AbortController().signal,
      ...options,
      ...more,
    });
  return { run, jobs, results, started, rows: () => rowsOf(results) };
}

async function workerOf(skill: Skill) {
  const signal = new AbortController().signal;
  return await running.runner.worker(
    { skill, files: filesOf(skill) },
    { by: rootToken(), session: "default", signal, onLog: () => {} },
    100,
  );
}

function rowsOf(path: string): ResultRow[] {
  const lines = readFileSync(path, "utf8").split("\n");
  expect(lines.pop()).toBe("");
  return lines.map((line) => JSON.parse(line) as ResultRow);
}

function numbered(many: number): { n: string }[] {
  return Array.from({ length: many }, (_, n) => ({ n: String(n) }));
}

test("does each job once, by no more workers than asked for", async () => {
  const told: [number, number][] = [];
  const progress = (done: number, total: number) => void told.push([done, total]);
  const { run, rows, started, results } = each(numbered(20), "return { n: args.n, pid: process.pid };", { progress });
  expect(await run()).toEqual({ done: 20, failed: 0, left: 0, skipped: 0, repeated: 0, results });
  const values = rows().map(({ value }) => value as { n: string; pid: number });
  expect(values.map(({ n }) => Number(n)).toSorted((a, b) => a - b)).toEqual(numbered(20).map(({ n }) => Number(n)));
  expect(new Set(rows().map(({ key }) => key)).size).toBe(20);
  expect(started).toHaveLength(2);
  expect(told.at(-1)).toEqual([20, 20]);
});

test("names a job by its key, or by its args in whatever order, and does one of a name", async () => {
  const { run, rows } = each(
    [{ key: "a", n: "1" }, { key: "a", n: "2" }, { n: "3", how: "x" }, "", { how: "x", n: "3" }],
    "return args.n;",
  );
  expect(await run()).toMatchObject({ done: 2, repeated: 2 });
  expect(rows().map(({ key, value }) => [key.length, value])).toEqual(
    expect.arrayContaining([
      [1, "1"],
      [32, "3"],
    ]),
  );
  expect(rows()).toHaveLength(2);
});

test.each([
  ["{oops", "it is not JSON"],
  ["[1]", "it is not an object"],
  ['{"key": ""}', "key"],
  ['{"n": {}}', "neither text"],
  ['{"m": 1}', 'no argument "m"'],
])("begins nothing where a line is %s", async (line, why) => {
  const { run, started, rows } = each([{ n: "1" }, line], "return 1;");
  await expect(run()).rejects.toMatchObject({ kind: "invalid_params", message: expect.stringMatching("Line 2") });
  await expect(run()).rejects.toThrow(why);
  expect(started).toEqual([]);
  expect(() => rows()).toThrow("ENOENT");
});

test("goes on where a run was broken off, and drops the row that was being written", async () => {
  const { run, rows, results } = each(numbered(5), "return args.n;");
  await run({ concurrency: 1 });
  const [first, second] = readFileSync(results, "utf8").split("\n");
  writeFileSync(results, `${first}\n${second}\n`);
  appendFileSync(results, '{"key":"torn","args":{},"ok":tr');
  expect(await run()).toMatchObject({ done: 5, skipped: 2, left: 0 });
  expect(rows().map(({ value }) => value)).toEqual(expect.arrayContaining(["0", "1", "2", "3", "4"]));
  expect(rows()).toHaveLength(5);
});

test("keeps a last row that lacks nothing but its line's end", async () => {
  const { run, rows, results, started } = each(numbered(3), "return args.n;");
  await run({ concurrency: 1 });
  writeFileSync(results, readFileSync(results, "utf8").trimEnd());
  started.length = 0;
  expect(await run()).toMatchObject({ done: 3, skipped: 3, left: 0 });
  expect(started).toEqual([]);
  expect(rows()).toHaveLength(3);
});

test("takes no file that has another name for results, and leaves both as they are", async () => {
  const { run, results } = each(numbered(2), "return args.n;");
  await run();
  const text = readFileSync(results, "utf8");
  linkSync(results, `${results}.backup`);
  await expect(run()).rejects.toMatchObject({
    kind: "invalid_params",
    message: expect.stringContaining("another name"),
  });
  expect(readFileSync(results, "utf8")).toBe(text);
});

test.each([
  ["something else", '{"name":"x"}\n'],
  ["two results of one job", '{"key":"a","ok":true}\n{"key":"a","ok":true}\n'],
])("takes no file with %s for results, and leaves it as it is", async (_, text) => {
  const { run, results } = each(numbered(1), "return 1;");
  writeFileSync(results, `${text}torn`);
  await expect(run()).rejects.toMatchObject({ kind: "invalid_params" });
  expect(readFileSync(results, "utf8")).toBe(`${text}torn`);
});

test("tells of a job that fails, and does the others by the same worker", async () => {
  const { run, rows, started } = each(numbered(4), 'if (args.n === "1") throw new Error("no one"); return args.n;');
  expect(await run({ concurrency: 1 })).toMatchObject({ done: 4, failed: 1 });
  expect(rows()[1]).toMatchObject({
    ok: false,
    error: { kind: "skill_failed", message: expect.stringMatching("no one") },
  });
  expect(started).toHaveLength(1);
});

test("does a job once more whose worker has died, if it only reads", async () => {
  const body = 'if (args.how === "die") process.exit(7); return args.n;';
  const reading = each([{ n: "0" }, { n: "1", how: "die" }, { n: "2" }], body);
  expect(await reading.run({ concurrency: 1 })).toMatchObject({ done: 3, failed: 1 });
  expect(reading.rows().map(({ ok, attempts }) => [ok, attempts])).toEqual([
    [true, 1],
    [false, 2],
    [true, 1],
  ]);
  const writing = each([{ n: "1", how: "die" }, { n: "2" }], body, { isReadOnly: false });
  await writing.run({ concurrency: 1 });
  expect(writing.rows()[0]).toMatchObject({
    ok: false,
    attempts: 1,
    error: { message: expect.stringMatching("code 7") },
  });
  expect(writing.rows()[1]).toMatchObject({ ok: true, value: "2" });
});

test("writes no row for what was broken off, and says how to go on", async () => {
  const breaking = new AbortController();
  const progress = () => breaking.abort();
  const { run, rows, results } = each(numbered(3), 'if (args.n === "1") await new Promise(() => {}); return args.n;', {
    progress,
  });
  await expect(run({ concurrency: 1, signal: breaking.signal })).rejects.toMatchObject({
    message: expect.stringMatching("1 of 3 jobs are done"),
    hint: expect.stringContaining(`--resume ${results}`),
    details: { done: 1, left: 2, results },
  });
  expect(rows().map(({ value }) => value)).toEqual(["0"]);
});

test("keeps secrets out of the rows, and out of their keys", async () => {
  const { run, rows, results } = each([{ n: "1", password: "hunter2" }], "return args.password.length;");
  await run();
  expect(rows()[0]).toMatchObject({ value: 7, args: { n: "1", password: "[redacted]" } });
  expect(readFileSync(results, "utf8")).not.toContain("hunter2");
});

test("lets one run at a time write a file of results", async () => {
  const { run } = each(numbered(2), "return args.n;");
  const first = run();
  await expect(run()).rejects.toThrow("Another run is writing");
  expect(await first).toMatchObject({ done: 2 });
});
