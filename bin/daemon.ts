/**
 * Starts the built daemon from the compiled code that earlier ones left behind: it answers a third sooner. What compiles
 * code must run before that code is loaded, so this is a file of its own.
 */
import { mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { folderProblem } from "../security/files/own_file.ts";

const home = process.env.BROWSE_HOME?.trim() || join(homedir(), ".browse");
if (isAbsolute(home)) {
  const folder = join(home, "compiled");
  try {
    // Nobody else may put code there.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!folderProblem(folder)) enableCompileCache(folder);
  } catch {
    // It starts without.
  }
}
// Made by the build, which is not to put it in here.
const main: string = "./daemon_main.mjs";
await import(main);
