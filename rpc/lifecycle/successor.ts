import { spawn } from "node:child_process";
import { announceDaemon } from "../../security/process/starters.ts";

/**
 * Starts the daemon that takes over, unless a command is quicker. Either reads its settings in what this one leaves, and
 * who stops the daemon meanwhile waits for it.
 */
export function startSuccessor(stateDir: string): void {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    windowsHide: true,
    stdio: ["ignore", 1, 2],
    env: { ...process.env, BROWSE_STATE_DIR: stateDir },
  });
  child.unref();
  if (child.pid !== undefined) announceDaemon(stateDir, child.pid);
}
