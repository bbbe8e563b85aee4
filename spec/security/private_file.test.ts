import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensurePrivateDir, readJsonFile, writePrivateFile } from "../../security/private_file.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "browse-private-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test("a private folder is made with its parents, mode 0700 and a .gitignore of its own", async () => {
  const dir = join(folder, "a/.browse");
  await ensurePrivateDir(dir);
  await ensurePrivateDir(dir);
  expect(modeOf(dir)).toBe(0o700);
  expect(readFileSync(join(dir, ".gitignore"), "utf8")).toBe("*\n");
});

test("a folder that others could read is closed, and a .gitignore that is there is kept", async () => {
  mkdirSync(join(folder, "state"));
  chmodSync(join(folder, "state"), 0o777);
  writeFileSync(join(folder, "state/.gitignore"), "mine");
  await ensurePrivateDir(join(folder, "state"));
  expect(modeOf(join(folder, "state"))).toBe(0o700);
  expect(readFileSync(join(folder, "state/.gitignore"), "utf8")).toBe("mine");
});

test.each(["file", "file/below"])("a folder cannot be made at %s, and the error names the variable", async (path) => {
  writeFileSync(join(folder, "file"), "x");
  const result = ensurePrivateDir(join(folder, path));
  await expect(result).rejects.toMatchObject({
    kind: "blocked_path",
    hint: expect.stringContaining("BROWSE_STATE_DIR"),
  });
});

test("a private file is replaced as a whole, with mode 0600, by many writers at once, and nothing else is left", async () => {
  const path = join(folder, "daemon.json");
  const texts = Array.from({ length: 20 }, (_, index) => JSON.stringify({ text: String(index).repeat(10_000) }));
  await Promise.all(texts.map((text) => writePrivateFile(path, text)));
  expect(texts).toContain(readFileSync(path, "utf8"));
  expect(modeOf(path)).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["daemon.json"]);
});

test("a write that fails leaves nothing", async () => {
  mkdirSync(join(folder, "taken/below"), { recursive: true });
  await expect(writePrivateFile(join(folder, "taken"), "x")).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(["taken"]);
});

test.each([
  ["", "it is empty"],
  ['{"port": 1', "it is not valid JSON"],
  ['{"port": "x"}', "port"],
  ["null", "Expected Object"],
])("a JSON file that holds %j is corrupt, and the reason is given", (text, reason) => {
  const path = join(folder, "a.json");
  writeFileSync(path, text);
  const file = readJsonFile(path, v.object({ port: v.number() }));
  expect(file).toEqual({ corrupt: expect.stringContaining(reason) });
});

test("a JSON file is read and validated, and a missing one is undefined", () => {
  const path = join(folder, "a.json");
  expect(readJsonFile(path, v.object({ port: v.number() }))).toBeUndefined();
  writeFileSync(path, '{"port": 1}');
  expect(readJsonFile(path, v.object({ port: v.number() }))).toEqual({ value: { port: 1 } });
});
