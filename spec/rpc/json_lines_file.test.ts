import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JsonLinesFile } from "../../rpc/json_lines_file.ts";

let dir: string;
let path: string;
let troubles: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "browse-lines-"));
  path = join(dir, "state", "lines.jsonl");
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

test("lines are written by themselves, in order, into a private file whose folder need not be there", async () => {
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
  // A file where the folder should be: not even root can write below it.
  writeFileSync(join(dir, "state"), "");
  const written = file();
  for (let n = 1; n <= 3; n++) {
    written.append({ n });
    await written.flush();
  }
  expect(troubles).toEqual([expect.stringContaining(`Cannot write ${path}`)]);
  rmSync(join(dir, "state"));
  written.append({ n: 4 });
  await written.flush();
  expect(lines()).toEqual([4]);
  expect(troubles.slice(1)).toEqual([expect.stringContaining("3 lines were lost")]);
  written.append({ n: 5 });
  await written.flush();
  expect(troubles).toHaveLength(2);
});

test("a folder that was removed is made again", async () => {
  const written = file();
  written.append({ n: 1 });
  await written.flush();
  rmSync(join(dir, "state"), { recursive: true });
  written.append({ n: 2 });
  await written.flush();
  expect(lines()).toEqual([2]);
  expect(troubles).toEqual([]);
});

test("a disk without room is told, not thrown", async () => {
  const full = new JsonLinesFile("/dev/full", { onTrouble: (message) => troubles.push(message) });
  full.append({ n: 1 });
  await full.flush();
  full.append({ n: 2 });
  await full.flush();
  expect(troubles).toEqual([expect.stringContaining("/dev/full")]);
});
