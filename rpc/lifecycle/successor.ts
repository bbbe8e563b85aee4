import { spawn } from "node:child_process";

/** Starts the daemon that takes over, unless a command is quicker. Either reads its settings in what this one leaves. */
export function startSuccessor(stateDir: string): void {
  spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    windowsHide: true,
    stdio: ["ignore", 1, 2],
    env: { ...process.env, BROWSE_STATE_DIR: stateDir },
  }).unref();
}
