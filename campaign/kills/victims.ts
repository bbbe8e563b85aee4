/** Who is struck, and how. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type SeenProcess, signal } from "../processes.ts";
import type { Workspace } from "../workspace.ts";

export const VICTIMS = [
  "daemon",
  "watchdog",
  "browser",
  "renderers",
  "GPU process",
  "network service",
  "client",
  "tunnel",
] as const;
export type Victim = (typeof VICTIMS)[number];

export const BLOWS = ["SIGKILL", "SIGTERM", "SIGSTOP"] as const;
export type Blow = (typeof BLOWS)[number];

const OF_BROWSER: Partial<Record<Victim, RegExp>> = {
  renderers: /--type=renderer/,
  "GPU process": /--type=gpu-process/,
  "network service": /--utility-sub-type=network/,
};

const FORWARDER = join(import.meta.dirname, "../../spec/security/tunnel/programs/forwarder.ts");

/** Has the daemon that will start there open a tunnel whose forwarder can be struck. */
export function writeTunnelConfig(home: string): void {
  const tunnel = {
    consent: true,
    provider: "command",
    command: [process.execPath, FORWARDER, "{port}"],
    host: "127.0.0.1",
    idleMinutes: 60,
  };
  mkdirSync(join(home, ".browse"), { recursive: true });
  writeFileSync(join(home, ".browse/config.json"), JSON.stringify({ tunnel }));
}

/** Strikes, and lets those that were stopped go on after a while. Resolves to how many were struck. */
export async function strike(
  workspace: Workspace,
  { victim, blow, stopMs, client }: { victim: Victim; blow: Blow; stopMs: number; client: number | undefined },
): Promise<number> {
  const pids = victimsIn(workspace, victim, client);
  for (const pid of pids) signal(pid, blow);
  if (blow === "SIGSTOP") {
    await pause(stopMs);
    for (const pid of pids) signal(pid, "SIGCONT");
  }
  return pids.length;
}

function victimsIn(workspace: Workspace, victim: Victim, client: number | undefined): number[] {
  if (victim === "client") return client === undefined ? [] : [client];
  const daemon = workspace.daemon()?.pid;
  if (victim === "daemon") return daemon === undefined ? [] : [daemon];
  return workspace
    .processes()
    .filter((one) => one.pid !== daemon && is(one, victim))
    .map(({ pid }) => pid);
}

function is({ command }: SeenProcess, victim: Victim): boolean {
  if (victim === "watchdog") return /watchdog/.test(command) && !/--type=/.test(command);
  if (victim === "tunnel") return command.includes(FORWARDER);
  if (victim === "browser") return /--remote-debugging-p/.test(command) && !/--type=/.test(command);
  return OF_BROWSER[victim]?.test(command) ?? false;
}
