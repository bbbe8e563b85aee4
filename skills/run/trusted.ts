/** A skill that a person has trusted: a process as any other, but for our secrets. */
import { bootSource } from "./boot.ts";
import type { Started } from "./sandbox.ts";

/** It speaks for itself by WebSocket, with the token of its run. */
export function unwalled(dir: string, { url, token }: { url: string; token: string }): Started {
  return {
    command: process.execPath,
    args: ["-e", bootSource({ isSandboxed: false, hasNetworkWall: false })],
    env: { ...withoutOurs(process.env), BROWSE_URL: url, BROWSE_TOKEN: token },
    cwd: dir,
  };
}

/** Options of Node are the daemon's: a debugger's port among them would be the script's too. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:BROWSE_|NODE_)/i.test(name)));
}
