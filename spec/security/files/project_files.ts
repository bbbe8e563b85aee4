/** A project with files of its own and of others, and links that lead where nobody may go. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MadeFiles } from "../../../security/files/made_files.ts";
import type { WritePolicy } from "../../../security/files/path_policy.ts";

export interface ProjectFiles {
  /** Where the project is, and all that is beside it. */
  folder: string;
  cwd: string;
  stateDir: string;
  policy: WritePolicy & { made: MadeFiles };
}

export function makeProjectFiles(): ProjectFiles {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "browse-path-")));
  const cwd = join(folder, "project");
  const stateDir = join(cwd, ".browse");
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
  return { folder, cwd, stateDir, policy: { cwd, stateDir, roots: [join(folder, "temp")], made } };
}

export function removeProjectFiles({ folder }: ProjectFiles): void {
  rmSync(folder, { recursive: true, force: true });
}
