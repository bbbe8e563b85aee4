import { linkSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { BrowseError } from "../../../errors.ts";
import { isWithin } from "../../../security/files/file_location.ts";
import { resolveRead, resolveWrite } from "../../../security/files/path_policy.ts";
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
