import { execFileSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JsonLinesFile } from "../../../rpc/events/json_lines_file.ts";

let dir: string;
let path: string;
let troubles: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "browse-lines-"));
  path = join(dir, "state", "lines.jsonl");
  mkdirSync(join(dir, "state"));
  troubles = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

function file(options: { flushMs?: number; rotateBytes?: number } = {}): JsonLinesFile {
  return new JsonLinesFile(path, { onTrouble: (message) => troubles.push(message), ...options });
}

function lines(of = path): number[] {
  return readFileSync(of, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { n: number }).n);
}

test("lines are written by themselves, in order, into a private file", async () => {
  const written = file({ flushMs: 1 });
  for (let n = 1; n <= 3; n++) written.append({ n });
  expect(existsSync(path)).toBe(false);
  await expect.poll(() => existsSync(path) && lines()).toEqual([1, 2, 3]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  written.append({ n: 4 });
  await written.flush();
  expect(lines()).toEqual([1, 2, 3, 4]);
  expect(troubles).toEqual([]);
});

test("a full file is set aside, and only one that was before it", async () => {
  const written = file({ rotateBytes: 30 });
  for (let n = 1; n <= 7; n++) {
    written.append({ n });
    await written.flush();
  }
  expect(lines(`${path}.1`)).toEqual([4, 5, 6]);
  expect(lines()).toEqual([7]);
});

test("a folder that cannot be had is told once, and once more when it can, with what was lost meanwhile", async () => {
  renameSync(join(dir, "state"), join(dir, "away"));
  const written = file();
  for (let n = 1; n <= 3; n++) {
    written.append({ n });
    await written.flush();
  }
  expect(troubles).toEqual([expect.stringContaining(`Cannot write ${path}`)]);
  expect(existsSync(join(dir, "state"))).toBe(false);
  renameSync(join(dir, "away"), join(dir, "state"));
  written.append({ n: 4 });
  await written.flush();
  expect(lines()).toEqual([4]);
  expect(troubles.slice(1)).toEqual([expect.stringContaining("3 lines were lost")]);
  written.append({ n: 5 });
  await written.flush();
  expect(troubles).toHaveLength(2);
});

test("a line that was torn takes no other with it", async () => {
  writeFileSync(path, '{"n":1}\n{"n":');
  const written = file();
  written.append({ n: 2 });
  await written.flush();
  written.append({ n: 3 });
  await written.flush();
  expect(readFileSync(path, "utf8")).toBe('{"n":1}\n{"n":\n{"n":2}\n{"n":3}\n');
});

test.each([
  ["link", symlinkSync],
  ["second name of another file", linkSync],
])("a %s under its name gives way, and what it led to is left alone", async (_what, plant) => {
  const other = join(dir, "other");
  writeFileSync(other, "mine");
  plant(other, path);
  const written = file();
  written.append({ n: 1 });
  await written.flush();
  expect(readFileSync(other, "utf8")).toBe("mine");
  expect(lines()).toEqual([1]);
  expect(troubles).toEqual([]);
});

test("what is no file under its name is told, and stays", async () => {
  mkdirSync(path);
  const written = file();
  written.append({ n: 1 });
  await written.flush();
  expect(troubles).toEqual([expect.stringContaining(path)]);
  expect(statSync(path).isDirectory()).toBe(true);
});

test.runIf(process.getuid?.() === 0)("a disk without room is told, not thrown", async () => {
  const folder = join(dir, "state");
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=4k", "tmpfs", folder]);
  try {
    const full = file();
    full.append({ n: 1, text: "x".repeat(10_000) });
    await full.flush();
    full.append({ n: 2, text: "x".repeat(10_000) });
    await full.flush();
    expect(troubles).toEqual([expect.stringContaining(path)]);
  } finally {
    execFileSync("umount", ["-l", folder]);
  }
});
