/** What programs run or read by themselves, and who may write it. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BrowseError } from "../../../errors.ts";
import { resolveWrite, type WritePolicy } from "../../../security/files/path_policy.ts";
import { kindOf } from "../kind_of.ts";
import { makeProjectFiles, type ProjectFiles, removeProjectFiles } from "./project_files.ts";

let folder: ProjectFiles["folder"];
let cwd: ProjectFiles["cwd"];
let policy: ProjectFiles["policy"];
let files: ProjectFiles;

beforeEach(() => {
  files = makeProjectFiles();
  ({ folder, cwd, policy } = files);
});

afterEach(() => removeProjectFiles(files));

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
