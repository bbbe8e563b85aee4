import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TrustFile } from "../../../skills/store/trust_file.ts";

let root: string;
let file: TrustFile;
let path: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "browse-trust-")));
  file = new TrustFile(join(root, "home/skills"));
  path = join(root, "home/skills/.trust.json");
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const HASH = "a".repeat(64);
const ALL = { trusted: true, approved: true };
const NOTHING = { trusted: false, approved: false };

it("keeps what was agreed to for that content alone, until it is taken back", async () => {
  expect(file.read().of(HASH)).toEqual(NOTHING);
  await file.agree(HASH, "shop", ALL);
  expect(file.read().of(HASH)).toEqual(ALL);
  expect(file.read().of("b".repeat(64))).toEqual(NOTHING);
  expect(file.read().of("constructor")).toEqual(NOTHING);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await file.agree("b".repeat(64), "shop", ALL);
  await file.agree("c".repeat(64), "mail", ALL);
  expect(await file.revoke("d".repeat(64), "shop")).toBe(2);
  expect(file.read().of(HASH)).toEqual(NOTHING);
  expect(file.read().of("c".repeat(64))).toEqual(ALL);
});

it.each([
  ["what is no JSON", "{", "it is not valid JSON"],
  ["nothing", "", "it is empty"],
  ["another shape", `{"version":1,"skills":{"${HASH}":true}}`, "Invalid type"],
  ["another version", '{"version":2,"skills":{}}', "Invalid type"],
])("trusts nothing in a file with %s, says so, and does not write over it", async (_, text, reason) => {
  mkdirSync(join(root, "home/skills"), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
  expect(file.read().problem).toContain(reason);
  expect(file.read().of(HASH)).toEqual(NOTHING);
  await expect(file.agree(HASH, "shop", ALL)).rejects.toMatchObject({ kind: "state_unreadable" });
  await expect(file.revoke(HASH, "shop")).rejects.toMatchObject({ kind: "state_unreadable" });
  expect(readFileSync(path, "utf8")).toBe(text);
});

it("trusts nothing in a file that others may write or read, or that is a link", async () => {
  await file.agree(HASH, "shop", ALL);
  for (const mode of [0o644, 0o620]) {
    chmodSync(path, mode);
    expect(file.read().problem).toMatch(/others may (read it|write to it)/);
    expect(file.read().of(HASH)).toEqual(NOTHING);
  }
  chmodSync(path, 0o600);
  const elsewhere = join(root, "elsewhere.json");
  writeFileSync(elsewhere, readFileSync(path), { mode: 0o600 });
  rmSync(path);
  symlinkSync(elsewhere, path);
  expect(file.read()).toMatchObject({ problem: expect.stringContaining("it is a link") });
});

it("loses nothing when several processes write at once, and one of them is killed", { timeout: 30_000 }, async () => {
  const start = (first: number, count: number) =>
    spawn(
      process.execPath,
      [join(import.meta.dirname, "../store/writer.ts"), root, "trust", String(first), String(count)],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
  const killed = start(0, 1_000_000);
  let told = "";
  killed.stdout.setEncoding("utf8").on("data", (text: string) => (told += text));
  const others = [start(2_000_000, 8), start(3_000_000, 8)];
  const ends = others.map((child) => once(child, "close"));
  await once(killed.stdout, "data");
  killed.kill("SIGKILL");
  await once(killed, "close");
  expect(await Promise.all(ends)).toEqual([
    [0, null],
    [0, null],
  ]);
  const { skills } = JSON.parse(readFileSync(path, "utf8")) as { skills: Record<string, unknown> };
  const written = [
    ...told.trim().split("\n").map(Number),
    ...[2_000_000, 3_000_000].flatMap((first) => Array.from({ length: 8 }, (_, index) => first + index)),
  ];
  for (const index of written) expect(Object.keys(skills)).toContain(index.toString(16).padStart(64, "0"));
});
