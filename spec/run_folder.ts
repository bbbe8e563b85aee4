/**
 * Runs around all tests: a folder for what test files share, and the end of the daemons that they share there. What it
 * ends is no process left behind, so its end comes before `leftovers.ts` looks.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning, untilEnded } from "./harness/is_running.ts";

const FOLDER = "RUN_FOLDER_OF_BROWSE";

/** Called by Vitest before the tests; what it returns, after them. */
export default function setup(): () => Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "browse-run-")));
  process.env[FOLDER] = folder;
  // Each daemon would compile its code anew for a home of its own: an eighth of what a start takes.
  process.env.NODE_COMPILE_CACHE = join(folder, "compiled");
  return async () => {
    const pids = readdirSync(folder).flatMap((name) => daemonIn(join(folder, name)));
    for (const pid of pids) process.kill(pid, "SIGTERM");
    await untilEnded(pids);
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Of this run. */
export function runFolder(): string {
  const folder = process.env[FOLDER];
  if (folder === undefined) throw new Error("Vitest runs without the project's configuration");
  return folder;
}

function daemonIn(project: string): number[] {
  const path = join(project, ".browse/daemon.json");
  if (!existsSync(path)) return [];
  const { pid } = JSON.parse(readFileSync(path, "utf8")) as { pid: number };
  return isRunning(pid) ? [pid] : [];
}
