/** What there is of a project's daemon outside of it: processes, folders, records and connections. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import type { Project } from "../harness/project.ts";

/** Resolves when `look` gives something; the suite's own deadline ends it. */
export async function eventually<T>(look: () => T | undefined | false): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== undefined && found !== false) return found;
    await setTimeout(1);
  }
}

interface RecordedBrowser {
  identity: { pid: number };
  folders: string[];
}

/** What the daemon would leave behind. */
export function recordedBrowsers(project: Project): RecordedBrowser[] {
  const text = readFileSync(join(project.stateDir, "browser.json"), "utf8");
  return (JSON.parse(text) as { browsers: RecordedBrowser[] }).browsers;
}

/** Pids of the Chromium that `browser.json` of the project records, children included. */
export function browserPids(project: Project): number[] {
  const pids = recordedBrowsers(project).map(({ identity }) => identity.pid);
  const rows = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number) as [number, number]);
  for (const pid of pids) pids.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return pids;
}

/** Its own one, and the one that a Chromium which can show windows makes for itself. */
export function foldersOf(project: Project): string[] {
  const folders = recordedBrowsers(project).flatMap((browser) => browser.folders);
  expect(folders).not.toEqual([]);
  expect(folders.filter((folder) => !existsSync(folder))).toEqual([]);
  return folders;
}

export function watchdogPids(project: Project): number[] {
  const rows = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).split("\n");
  const parts = rows.map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)/.exec(row) ?? []);
  return parts
    .filter(([, , parent, args]) => Number(parent) === daemonPid(project) && args?.includes(" -e "))
    .map(([, pid]) => Number(pid));
}

/** Who says that a daemon is about to be there. */
export function starterPids(project: Project): number[] {
  const names = readdirSync(project.stateDir).filter((name) => name.startsWith("starter."));
  return names.map((name) => Number(name.slice("starter.".length)));
}

export function daemonPid(project: Project): number {
  const daemon = project.daemon();
  if (!daemon) throw new Error("No daemon is running");
  return daemon.pid;
}

export function journalled(project: Project, command: string): boolean {
  try {
    return readFileSync(join(project.stateDir, "journal.jsonl"), "utf8").includes(`"${command}"`);
  } catch {
    return false;
  }
}

/** Connections to the daemon's port, by the kernel's table. */
export function connections(project: Project): number {
  const port = (project.daemon()?.port ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const rows = readFileSync("/proc/net/tcp", "utf8").split("\n");
  return rows.filter((row) => row.includes(`:${port} `) && / 01 /.test(row)).length;
}
