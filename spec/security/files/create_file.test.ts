/** Files that calls make: whole, in nobody's place, and where the path was when it was checked. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BrowseError } from "../../../errors.ts";
import { createFile } from "../../../security/files/create_file.ts";
import { MadeFiles } from "../../../security/files/made_files.ts";
import { resolveWrite } from "../../../security/files/path_policy.ts";
import { kindOf } from "../kind_of.ts";
import { makeProjectFiles, type ProjectFiles, removeProjectFiles } from "./project_files.ts";

let folder: ProjectFiles["folder"];
let cwd: ProjectFiles["cwd"];
let stateDir: ProjectFiles["stateDir"];
let policy: ProjectFiles["policy"];
let files: ProjectFiles;

beforeEach(() => {
  files = makeProjectFiles();
  ({ folder, cwd, stateDir, policy } = files);
});

afterEach(() => removeProjectFiles(files));

async function rejection(action: Promise<unknown>): Promise<BrowseError> {
  return action.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => {
      expect(error).toBeInstanceOf(BrowseError);
      return error as BrowseError;
    },
  );
}

describe("whose file is in the way", () => {
  test("a file we did not make is kept unless forced", async () => {
    expect(kindOf(() => resolveWrite("source.ts", policy))).toBe("blocked_path");
    const path = resolveWrite("source.ts", { ...policy, force: true });
    expect((await rejection(createFile(path, "ours", policy))).kind).toBe("blocked_path");
    expect(readFileSync(path, "utf8")).toBe("theirs");
    await createFile(path, "ours", { ...policy, force: true });
    expect(readFileSync(path, "utf8")).toBe("ours");
  });

  test("a file we made is replaced, until somebody changes it", async () => {
    const path = resolveWrite("a.txt", policy);
    await createFile(path, "one", policy);
    await createFile(resolveWrite("a.txt", policy), "two", policy);
    expect(readFileSync(path, "utf8")).toBe("two");
    utimesSync(path, 1, 1);
    expect(kindOf(() => resolveWrite("a.txt", policy))).toBe("blocked_path");
  });

  test("a file is replaced by the maker whose call made it, and by the user", async () => {
    const { made } = policy;
    const path = resolveWrite("a.txt", policy);
    await createFile(path, "bob's", { made: made.by("bob") });
    expect(kindOf(() => resolveWrite("a.txt", { ...policy, made: made.by("amy") }))).toBe("blocked_path");
    expect(kindOf(() => resolveWrite("a.txt", { ...policy, made: made.by("bob") }))).toBe("allowed");
    expect(kindOf(() => resolveWrite("a.txt", policy))).toBe("allowed");
    writeFileSync(join(stateDir, "artifacts/a.txt"), "of somebody");
    expect(kindOf(() => resolveWrite(".browse/artifacts/a.txt", { ...policy, made: made.by("bob") }))).toBe(
      "blocked_path",
    );
  });

  test("a file that an earlier daemon made is ours, and its maker's; a record that is no record is begun anew", async () => {
    const record = join(stateDir, "made.jsonl");
    const troubles: string[] = [];
    const next = () => new MadeFiles({ record, onTrouble: (message) => troubles.push(message) });
    const path = resolveWrite("a.txt", policy);
    await createFile(path, "bob's", { made: next().by("bob") });
    const made = next();
    expect(kindOf(() => resolveWrite("a.txt", { ...policy, made }))).toBe("allowed");
    expect(kindOf(() => resolveWrite("a.txt", { ...policy, made: made.by("bob") }))).toBe("allowed");
    expect(kindOf(() => resolveWrite("a.txt", { ...policy, made: made.by("amy") }))).toBe("blocked_path");
    utimesSync(path, 1, 1);
    expect(kindOf(() => resolveWrite("a.txt", { ...policy, made: next() }))).toBe("blocked_path");

    appendFileSync(record, "{\n[]\n");
    next().add(path);
    expect(next().has(path)).toBe(true);
    expect(troubles).toEqual([]);
    // As a repository would bring it along.
    chmodSync(record, 0o644);
    expect([next().has(path), troubles.length, existsSync(record)]).toEqual([false, 1, false]);
    troubles.length = 0;
    symlinkSync(join(cwd, "source.ts"), record);
    expect(next().has(path)).toBe(false);
    expect(troubles).toHaveLength(1);
    next().add(path);
    expect([readFileSync(join(cwd, "source.ts"), "utf8"), next().has(path)]).toEqual(["theirs", true]);
  });

  test("a private file is for this user alone, and so are the folders that are made for it", async () => {
    const path = resolveWrite("deep/a.zip", policy);
    await createFile(path, "secret", { ...policy, isPrivate: true });
    expect([path, join(cwd, "deep")].map((of) => statSync(of).mode & 0o777)).toEqual([0o600, 0o700]);
  });

  test("what lies in the artifacts is ours", async () => {
    writeFileSync(join(stateDir, "artifacts/a.txt"), "from an earlier daemon");
    const path = resolveWrite(".browse/artifacts/a.txt", policy);
    await createFile(path, "new", policy);
    expect(readFileSync(path, "utf8")).toBe("new");
  });

  test("of two writers of one new name only one wins, and the file is whole", async () => {
    const path = resolveWrite("race.txt", policy);
    const contents = Array.from({ length: 8 }, (_, index) => String(index).repeat(50_000));
    const results = await Promise.allSettled(
      contents.map((content) => createFile(path, content, { made: new MadeFiles() })),
    );
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    expect(contents).toContain(readFileSync(path, "utf8"));
  });
});

describe("writing", () => {
  test("folders are made, bytes and streams are written whole, and nothing else is left", async () => {
    const path = resolveWrite("deep/new/a.bin", policy);
    expect(await createFile(path, new Uint8Array([0, 255, 1]), policy)).toBe(3);
    expect([...readFileSync(path)]).toEqual([0, 255, 1]);
    async function* chunks() {
      for (let index = 0; index < 100; index += 1) yield "é".repeat(50_000);
    }
    expect(await createFile(path, chunks(), policy)).toBe(10_000_000);
    expect(statSync(path).size).toBe(10_000_000);
    expect(readdirSync(join(cwd, "deep/new"))).toEqual(["a.bin"]);
  });

  test.each([
    ["ENOSPC", "too_large"],
    ["EACCES", "blocked_path"],
    ["EROFS", "blocked_path"],
  ])("when the disk answers %s half way, the error is %s and no file is left", async (code, kind) => {
    async function* failing() {
      yield "half";
      throw Object.assign(new Error(code), { code });
    }
    const path = resolveWrite("new/a.txt", policy);
    expect((await rejection(createFile(path, failing(), policy))).kind).toBe(kind);
    expect(readdirSync(join(cwd, "new"))).toEqual([]);
  });

  test("a failed replacement leaves the old file", async () => {
    const path = resolveWrite("a.txt", policy);
    await createFile(path, "old", policy);
    async function* failing() {
      yield "half";
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    }
    await rejection(createFile(path, failing(), policy));
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(kindOf(() => resolveWrite("a.txt", policy))).toBe("allowed");
  });

  test("a folder that became a link after the check is not written through", async () => {
    const path = resolveWrite("sub/a.txt", policy);
    rmSync(join(cwd, "sub"), { recursive: true });
    symlinkSync(join(folder, "outside"), join(cwd, "sub"));
    expect((await rejection(createFile(path, "x", policy))).kind).toBe("blocked_path");
    expect(existsSync(join(folder, "outside/a.txt"))).toBe(false);
  });

  test("a link that took the name after the check is not written through", async () => {
    const path = resolveWrite("a.txt", policy);
    symlinkSync(join(folder, "outside/secret"), path);
    expect((await rejection(createFile(path, "x", policy))).kind).toBe("blocked_path");
    await createFile(path, "x", { ...policy, force: true });
    expect(readFileSync(join(folder, "outside/secret"), "utf8")).toBe("theirs");
  });
});
