import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ensurePrivateDir, ownFolderIn, readJsonFile, writePrivateFile } from "../../../security/files/private_file.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "browse-private-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (path: string) => statSync(path).mode & 0o777;

test("a private folder is made with its parents, mode 0700 and a .gitignore of its own", () => {
  const dir = join(folder, "a/.browse");
  ensurePrivateDir(dir);
  ensurePrivateDir(dir);
  expect(modeOf(dir)).toBe(0o700);
  expect(readFileSync(join(dir, ".gitignore"), "utf8")).toBe("*\n");
});

test("a folder that others could read is closed, and a .gitignore that is there is kept", () => {
  mkdirSync(join(folder, "state"));
  chmodSync(join(folder, "state"), 0o777);
  writeFileSync(join(folder, "state/.gitignore"), "mine");
  ensurePrivateDir(join(folder, "state"));
  expect(modeOf(join(folder, "state"))).toBe(0o700);
  expect(readFileSync(join(folder, "state/.gitignore"), "utf8")).toBe("mine");
});

test.each(["file", "file/below"])("a folder cannot be made at %s, and the error names the variable", (path) => {
  writeFileSync(join(folder, "file"), "x");
  expect(() => ensurePrivateDir(join(folder, path))).toThrow(
    expect.objectContaining({ kind: "blocked_path", hint: expect.stringContaining("BROWSE_STATE_DIR") }),
  );
});

test("a folder that is a link is refused, and what it leads to stays as it is", () => {
  mkdirSync(join(folder, "elsewhere"), { mode: 0o755 });
  symlinkSync("elsewhere", join(folder, "state"));
  expect(() => ensurePrivateDir(join(folder, "state"))).toThrow(
    expect.objectContaining({ kind: "blocked_path", message: expect.stringContaining("it is a link") }),
  );
  expect(modeOf(join(folder, "elsewhere"))).toBe(0o755);
  expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
});

test("a link in a folder of ours gives way to a folder", () => {
  mkdirSync(join(folder, "elsewhere"), { mode: 0o755 });
  symlinkSync("elsewhere", join(folder, "artifacts"));
  expect(lstatSync(ownFolderIn(folder, "artifacts")).isDirectory()).toBe(true);
  expect(modeOf(join(folder, "elsewhere"))).toBe(0o755);
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
  await expect(writePrivateFile(join(folder, "missing/file"), "x")).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that is in a file's place is moved aside, with what is in it", async () => {
  mkdirSync(join(folder, "taken/below"), { recursive: true });
  await writePrivateFile(join(folder, "taken"), "x");
  expect(readFileSync(join(folder, "taken"), "utf8")).toBe("x");
  const [aside = ""] = readdirSync(folder).filter((name) => name.startsWith("taken.aside-"));
  expect(readdirSync(join(folder, aside))).toEqual(["below"]);
});

test.each([
  ["", "it is empty"],
  ['{"port": 1', "it is not valid JSON"],
  ['{"port": "x"}', "port"],
  ["null", "Expected Object"],
])("a JSON file that holds %j is corrupt, and the reason is given", (text, reason) => {
  const path = join(folder, "a.json");
  writeFileSync(path, text, { mode: 0o600 });
  const file = readJsonFile(path, v.object({ port: v.number() }));
  expect(file).toEqual({ corrupt: expect.stringContaining(reason) });
});

test("a JSON file is read and validated, and a missing one is undefined", () => {
  const path = join(folder, "a.json");
  expect(readJsonFile(path, v.object({ port: v.number() }))).toBeUndefined();
  writeFileSync(path, '{"port": 1}', { mode: 0o600 });
  expect(readJsonFile(path, v.object({ port: v.number() }))).toEqual({ value: { port: 1 } });
});
