import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Denial, DenialLog } from "../../../security/tokens/denials.ts";

let home: string;
let errors: unknown[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "browse-denials-"));
  errors = [];
});

afterEach(() => rmSync(home, { recursive: true }));

function openLog(options: { dir?: string; maxBytes?: number; windowMs?: number } = {}): DenialLog {
  return new DenialLog({
    dir: join(home, "security"),
    isCommand: (name) => name === "goto",
    onError: (error) => errors.push(error),
    ...options,
  });
}

const denial: Denial = { reason: "forbidden", command: "goto", source: "203.0.113.7" };

function written(): Record<string, unknown>[] {
  const text = readFileSync(join(home, "security/attempts.jsonl"), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("A denial is written with time, reason, command and hash, and with nothing else", () => {
  openLog().record(denial);
  expect(written()).toEqual([
    {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      reason: "forbidden",
      command: "goto",
      source: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
  expect(statSync(join(home, "security/attempts.jsonl")).mode & 0o777).toBe(0o600);
});

test("What is no command of ours is written as unknown, whatever was sent", () => {
  const log = openLog();
  for (const command of ["rm -rf /", "__proto__", "my-password", ""]) log.record({ ...denial, command });
  log.record({ reason: "wrong_token", source: "203.0.113.7" });
  expect(written().map(({ command }) => command)).toEqual(Array(5).fill("unknown"));
  expect(JSON.stringify(written())).not.toContain("password");
});

test("Sources are told apart on one device, found again by another daemon of it, and not by another device", () => {
  openLog().record(denial);
  openLog().record({ ...denial, source: "203.0.113.8" });
  openLog().record(denial);
  const [first, other, again] = written().map(({ source }) => source);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  const elsewhere = openLog({ dir: join(home, "elsewhere") });
  elsewhere.record(denial);
  expect(elsewhere.read(1)).not.toMatchObject([{ source: first }]);
  expect(JSON.stringify(written())).not.toContain("203.0.113");
});

test("The device's salt is the user's alone, and is made so again", () => {
  openLog().record(denial);
  const path = join(home, "security/device-salt");
  expect(readFileSync(path)).toHaveLength(32);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(home, "security")).toSorted()).toEqual(["attempts.jsonl", "device-salt"]);
});

test("A salt that is cut short is not used: sources are still told apart, and the trouble is told", () => {
  openLog().record(denial);
  writeFileSync(join(home, "security/device-salt"), "short");
  const log = openLog();
  log.record(denial);
  log.record(denial);
  const [, one, two] = written().map(({ source }) => source);
  expect(one).toBe(two);
  expect(errors).toHaveLength(1);
});

test("Of more than 60 a minute the rest is counted, and the next minute begins anew", () => {
  const log = openLog();
  for (let i = 0; i < 200; i++) log.record(denial);
  expect(written()).toHaveLength(60);
  log.flush();
  expect(written().at(-1)).toEqual({ time: expect.any(String), reason: "throttled", dropped: 140 });
  log.record(denial);
  expect(written()).toHaveLength(62);
  expect(log.count).toBe(201);
});

test("The count is written at the end of the minute, without another denial", async () => {
  const log = openLog({ windowMs: 500 });
  for (let i = 0; i < 61; i++) log.record(denial);
  await expect.poll(() => written().at(-1), { timeout: 20_000 }).toMatchObject({ reason: "throttled", dropped: 1 });
});

test("Six files are kept, and read as one", () => {
  const log = openLog({ maxBytes: 300 });
  for (let i = 0; i < 60; i++) log.record(denial);
  const files = readdirSync(join(home, "security")).filter((name) => name.startsWith("attempts"));
  expect(files.toSorted()).toEqual([1, 2, 3, 4, 5].map((generation) => `attempts.jsonl.${generation}`));
  log.flush();
  log.record({ ...denial, reason: "blocked_url" });
  expect(log.read(100).at(-1)).toMatchObject({ reason: "blocked_url" });
  expect(log.read(4)).toHaveLength(4);
  expect(log.read(100).length).toBeGreaterThan(10);
});

test("A line that was cut off is left out when it is read", () => {
  const log = openLog();
  log.record(denial);
  writeFileSync(join(home, "security/attempts.jsonl"), '{"time":"2030', { flag: "a" });
  expect(log.read(10)).toMatchObject([{ reason: "forbidden" }]);
  expect(openLog({ dir: join(home, "nothing") }).read(10)).toEqual([]);
});

test("A folder that cannot be written is told of, and refuses nothing", () => {
  writeFileSync(join(home, "security"), "a file");
  const log = openLog();
  log.record(denial);
  expect(log.count).toBe(1);
  expect(errors.length).toBeGreaterThan(0);
});

test("A record that cannot be read is not taken for an empty one", () => {
  const path = join(home, "security");
  writeFileSync(path, "");
  expect(() => openLog().read(5)).toThrow(/Cannot read the record of refusals.*ENOTDIR/);
  rmSync(path);
  mkdirSync(join(path, "attempts.jsonl"), { recursive: true });
  expect(() => openLog().read(5)).toThrow(/Cannot read the record of refusals.*it is not a file/);
});
