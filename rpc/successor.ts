import { spawn } from "node:child_process";
import type { RestartOptions } from "../commands/daemon.ts";
import type { LaunchSettings } from "./launch_settings.ts";

/** Starts the daemon that takes over, with the settings of this one but for those given. */
export function startSuccessor({ headed, proxy }: RestartOptions, launch: LaunchSettings, stateDir: string): void {
  const { BROWSE_HEADED: _, BROWSE_PROXY: __, ...env } = process.env;
  const nextProxy = proxy === "none" ? undefined : (proxy ?? launch.proxy);
  spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    windowsHide: true,
    stdio: ["ignore", 1, 2],
    env: {
      ...env,
      BROWSE_STATE_DIR: stateDir,
      BROWSE_HEADED: (headed ?? launch.headed) ? "1" : "0",
      ...(nextProxy ? { BROWSE_PROXY: nextProxy } : {}),
    },
  }).unref();
}
