import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BrowseError } from "../../../errors.ts";
import { createFile } from "../../../security/files/create_file.ts";
import { isWithin } from "../../../security/files/file_location.ts";
import { MadeFiles } from "../../../security/files/made_files.ts";
import { resolveRead, resolveWrite, type WritePolicy } from "../../../security/files/path_policy.ts";
import { kindOf } from "../kind_of.ts";

let folder: string;
let cwd: string;
let stateDir: string;
let policy: WritePolicy & { made: MadeFiles };

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "browse-path-")));
  cwd = join(folder, "project");
  stateDir = join(cwd, ".browse");
  for (const name of ["project/.browse/artifacts", "project/sub", "projector", "outside", "temp/other/.browse"]) {
    mkdirSync(join(folder, name), { recursive: true });
  }
  const files = [
    "project/source.ts",
    "project/.browse/daemon.json",
    "outside/secret",
    "temp/other/.browse/daemon.json",
  ];
  for (const name of files) writeFileSync(join(folder, name), "theirs");
  symlinkSync(join(folder, "outside/secret"), join(cwd, "link.txt"));
  symlinkSync(join(folder, "outside"), join(cwd, "linked"));
  symlinkSync(join(folder, "outside/new"), join(cwd, "dangling.txt"));
  symlinkSync(join(cwd, "loop"), join(cwd, "loop"));
  symlinkSync(join(cwd, "sub"), join(cwd, "near"));
  symlinkSync(join(cwd, "source.ts"), join(cwd, "picture.png"));
  const made = new MadeFiles({ ownFolders: [join(stateDir, "artifacts")] });
  policy = { cwd, stateDir, roots: [join(folder, "temp")], made };
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function rejection(action: Promise<unknown>): Promise<BrowseError> {
  return action.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => {
      expect(error).toBeInstanceOf(BrowseError);
      return error as BrowseError;
    },
  );
}

const REFUSED = [
  ["a file outside", "../outside/x"],
  ["an absolute path outside", "/etc/passwd"],
  ["a folder whose name starts the same", "../projector/x"],
  ["a link to a file outside", "link.txt"],
  ["a new file in a folder that is linked to the outside", "linked/new.txt"],
  ["a dangling link", "dangling.txt"],
  ["a file below a dangling link", "dangling.txt/x"],
  ["a link in a circle", "loop/x"],
  ["a file below a file", "source.ts/x"],
  ["the state folder", ".browse"],
  ["a file of the state folder", ".browse/daemon.json"],
  ["the state folder by way of its artifacts", ".browse/artifacts/../daemon.json"],
  ["another project's state folder", "../temp/other/.browse/daemon.json"],
  ["a folder", "sub"],
  ["a folder by its slash", "sub/new/"],
  ["nothing", ""],
  ["a null byte", "a\0.png"],
  ["a name that is too long", "x".repeat(300)],
] as const;

describe("which paths are allowed", () => {
  test.each(REFUSED)("%s is neither written nor read", (_, path) => {
    expect(kindOf(() => resolveWrite(path, { ...policy, force: true }))).toBe("blocked_path");
    expect(kindOf(() => resolveRead(path, policy))).toBe("blocked_path");
  });

  test("a new file under the current folder, a temporary folder and the artifacts is allowed, by its real path", () => {
    expect(resolveWrite("deep/new/a.png", policy)).toBe(join(cwd, "deep/new/a.png"));
    expect(resolveWrite("near/a.png", policy)).toBe(join(cwd, "sub/a.png"));
    expect(resolveWrite("sub/../a.png", policy)).toBe(join(cwd, "a.png"));
    expect(resolveWrite(join(folder, "temp/a.png"), policy)).toBe(join(folder, "temp/a.png"));
    expect(resolveWrite(".browse/artifacts/a.png", policy)).toBe(join(stateDir, "artifacts/a.png"));
  });

  test("the system's temporary folder is allowed when no other is named", () => {
    const path = join(realpathSync(tmpdir()), "browse-never-made.png");
    expect(resolveWrite(path, { cwd, stateDir })).toBe(path);
  });

  test("a user's state folder under another name is refused", () => {
    expect(kindOf(() => resolveRead("sub/x", { ...policy, homeStateDir: join(cwd, "sub") }))).toBe("blocked_path");
  });

  test("a relative path from nowhere is refused", () => {
    expect(kindOf(() => resolveRead("x", { ...policy, cwd: undefined }))).toBe("blocked_path");
  });

  test("the name's ending must fit, of a link and of what it leads to", () => {
    const pictures = { ...policy, extensions: [".png", ".jpg"], force: true };
    expect(kindOf(() => resolveWrite("a.PNG", pictures))).toBe("allowed");
    for (const path of ["a.ts", "a", "a.png.ts", ".png"]) {
      expect(kindOf(() => resolveWrite(path, pictures))).toBe("invalid_params");
    }
    expect(kindOf(() => resolveWrite("picture.png", pictures))).toBe("blocked_path");
    expect(kindOf(() => resolveRead("picture.png", pictures))).toBe("blocked_path");
  });

  test("a missing file inside is said to be missing, one outside is not", () => {
    expect(kindOf(() => resolveRead("missing", policy))).toBe("not_found");
    expect(kindOf(() => resolveRead("../outside/missing", policy))).toBe("blocked_path");
  });

  test("no path made of these parts gets out", () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "sub",
      "near",
      "linked",
      "link.txt",
      "dangling.txt",
      "new",
      "",
      ".browse",
      "artifacts",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        let path: string;
        try {
          path = resolveWrite(parts.join("/"), { ...policy, force: true });
        } catch (error) {
          expect(error).toBeInstanceOf(BrowseError);
          return;
        }
        expect(isWithin(cwd, path)).toBe(true);
        expect(isWithin(stateDir, path) && !isWithin(join(stateDir, "artifacts"), path)).toBe(false);
      }),
    );
  });
});

describe("a second name of a file", () => {
  test("of ours is not read, however deep it is, and of others it is", () => {
    mkdirSync(join(stateDir, "states"));
    writeFileSync(join(stateDir, "states/shop.json"), "theirs");
    for (const [index, file] of ["daemon.json", "states/shop.json"].entries()) {
      linkSync(join(stateDir, file), join(cwd, `linked-${index}.json`));
      expect(kindOf(() => resolveRead(`linked-${index}.json`, policy))).toBe("blocked_path");
    }
    linkSync(join(folder, "outside/secret"), join(cwd, "same.txt"));
    expect(kindOf(() => resolveRead("same.txt", policy))).toBe("allowed");
    expect(kindOf(() => resolveRead("same.txt", { ...policy, lentTo: "bob" }))).toBe("blocked_path");
  });
});

describe("what programs run or read when they start", () => {
  const STARTUP = [
    ".git/config",
    ".git/hooks/pre-commit",
    "sub/.GIT/config",
    "worktree/.git",
    ".git./config",
    ".g\u200cit/config",
    "GIT~1/config",
    ".husky/pre-push",
    ".gitmodules",
    ".bashrc",
    ".zshenv",
    ".config/fish/config.fish",
    ".vscode/tasks.json",
    ".npmrc",
    "sub/package.json",
    ".envrc",
    ".ssh/authorized_keys",
    ".config/autostart/a.desktop",
    "a.desktop",
    ".config/systemd/user/a.service",
    "Library/LaunchAgents/a.plist",
    "Start Menu/Programs/Startup/a.bat",
    "node_modules/.bin/tsc",
    ".claude/settings.json",
    "AGENTS.md",
    ".github/workflows/ci.yml",
    ".devcontainer/devcontainer.json",
  ];
  const ORDINARY = ["a.txt", "git/config", "gitignore", "notes.md", "node_modules/a/index.js", "Makefile", "env"];

  test.each(STARTUP)("%s is written by the user with --force, and by nobody else", (path) => {
    expect(kindOf(() => resolveWrite(path, policy))).toBe("blocked_path");
    expect(kindOf(() => resolveWrite(path, { ...policy, force: true }))).toBe("allowed");
    expect(kindOf(() => resolveWrite(path, { ...policy, lentTo: "bob", roots: [String(policy.cwd)] }))).toBe(
      "blocked_path",
    );
  });

  test.each(ORDINARY)("%s is written by everyone", (path) => {
    expect(kindOf(() => resolveWrite(path, policy))).toBe("allowed");
    expect(kindOf(() => resolveWrite(path, { ...policy, lentTo: "bob", roots: [String(policy.cwd)] }))).toBe("allowed");
  });

  test("a link does not hide it, in either direction", () => {
    mkdirSync(join(cwd, ".git"));
    symlinkSync(join(cwd, ".git"), join(cwd, "plain"));
    symlinkSync(join(cwd, "sub/rc"), join(cwd, ".zshrc"));
    writeFileSync(join(cwd, "sub/rc"), "");
    for (const path of ["plain/config", ".zshrc"])
      expect(kindOf(() => resolveWrite(path, policy))).toBe("blocked_path");
  });

  test("where the user stands is their choice, and among the artifacts nothing runs", () => {
    const inside = { ...policy, cwd: join(folder, "outside/.claude/worktree") };
    mkdirSync(inside.cwd, { recursive: true });
    expect(kindOf(() => resolveWrite("a.png", inside))).toBe("allowed");
    expect(kindOf(() => resolveWrite(".browse/artifacts/a.desktop", policy))).toBe("allowed");
  });

  test("the hint says --force only to those whom it helps", () => {
    const hint = (more: Partial<WritePolicy>) => {
      try {
        resolveWrite(".npmrc", { ...policy, ...more });
      } catch (error) {
        return (error as BrowseError).hint;
      }
      return undefined;
    };
    expect(hint({ force: false })).toContain("--force");
    expect(hint({})).not.toContain("--force");
    expect(hint({ force: false, lentTo: "bob" })).not.toContain("--force");
  });
});

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
    expect(next().has(path)).toBe(false);
    expect(troubles).toEqual([]);
    rmSync(record);
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
