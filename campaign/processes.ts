/** The processes of one project, as the system tells them: by the folders they name, and by who started them. */
import { readdirSync, readFileSync } from "node:fs";

export interface SeenProcess {
  pid: number;
  parent: number;
  group: number;
  /** Ticks since boot: tells a process from a later one of the same id. */
  started: number;
  command: string;
}

interface Candidate extends SeenProcess {
  environment: string;
}

/**
 * Those whose command line or environment names one of the folders, whatever they have started, and what shares a
 * process group with them. Linux only.
 */
export function processesNaming(folders: readonly string[]): SeenProcess[] {
  const all = allProcesses();
  const family = new Set(
    all
      .filter(({ command, environment, pid }) => {
        if (pid === process.pid) return false;
        return folders.some((folder) => command.includes(folder) || environment.includes(folder));
      })
      .map(({ pid }) => pid),
  );
  let size: number;
  do {
    size = family.size;
    const groups = new Set(
      all.filter(({ pid, group }) => family.has(pid) && group !== ownGroup()).map(({ group }) => group),
    );
    for (const { pid, parent, group } of all) if (family.has(parent) || groups.has(group)) family.add(pid);
  } while (family.size > size);
  return all.filter(({ pid }) => family.has(pid)).map(({ environment: _, ...seen }) => seen);
}

/** Is it still the process that was seen, and not one that has ended or another of its id? */
export function isSameProcess({ pid, started }: Pick<SeenProcess, "pid" | "started">): boolean {
  const now = statOf(pid);
  return now !== undefined && now.started === started && now.state !== "Z";
}

/** No harm when it has ended. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    // It ended meanwhile.
    return false;
  }
}

function ownGroup(): number {
  return statOf(process.pid)?.group ?? -1;
}

function allProcesses(): Candidate[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((name) => {
    const stat = statOf(Number(name));
    if (!stat || stat.state === "Z") return [];
    const command = readProc(name, "cmdline").replaceAll("\0", " ").trim();
    return [{ ...stat, pid: Number(name), command, environment: readProc(name, "environ") }];
  });
}

function statOf(pid: number): { state: string; parent: number; group: number; started: number } | undefined {
  const text = readProc(String(pid), "stat");
  // The name stands in parentheses and may hold anything, spaces and parentheses included.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  if (text === "") return undefined;
  return { state: fields[0] ?? "", parent: Number(fields[1]), group: Number(fields[2]), started: Number(fields[19]) };
}

function readProc(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    // It ended meanwhile.
    return "";
  }
}
