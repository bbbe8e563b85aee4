/**
 * Which process is meant, beyond its pid: pids are used again, pid and start time together are not. Without imports,
 * since the command line client takes it along too, and the watchdog as text.
 */

/** `startTime` is opaque: equal for the same process, different for any other that had or will have the pid. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

/** What the system knows of a running or a dead but unreaped process. */
export interface ProcessDetails extends ProcessIdentity {
  isZombie: boolean;
  /** The process group; 0 where there is no such thing. */
  group: number;
}

/**
 * Asks the system; undefined when no process has that pid. Any other trouble (out of file descriptors) is thrown, so
 * that nobody takes a live process for a dead one.
 *
 * Stands alone, without imports: the watchdog takes its source text along into a process of its own.
 */
export function inspectProcess(pid: number, onLinux = inspectOnLinux): ProcessDetails | undefined {
  if (process.platform === "linux") return onLinux(pid);
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const isWindows = process.platform === "win32";
  const script = `(Get-Process -Id ${pid} -ErrorAction SilentlyContinue).StartTime.ToFileTimeUtc()`;
  const command = isWindows ? "powershell.exe" : "/bin/ps";
  const args = isWindows ? ["-NoProfile", "-Command", script] : ["-o", "stat=,pgid=,lstart=", "-p", String(pid)];
  // lstart is printed in local time: a fixed zone and language keep it the same for the life of a process.
  const env = { ...process.env, TZ: "UTC", LC_ALL: "C" };
  const { error, stdout } = spawnSync(command, args, { encoding: "utf8", env, windowsHide: true });
  if (error) throw error;
  const line = stdout.trim();
  if (line === "") return undefined;
  if (isWindows) return { pid, startTime: line, isZombie: false, group: 0 };
  const [, state = "", group = "", startTime = ""] = /^(\S+)\s+(\d+)\s+(.+)$/.exec(line) ?? [];
  return { pid, startTime, isZombie: state.startsWith("Z"), group: Number(group) };
}

/** `inspectProcess` where the system is known: all that the command line client takes along of it. */
export function inspectOnLinux(pid: number): ProcessDetails | undefined {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything. After it: state (3), ppid, pgrp (5), … starttime (22) in ticks since
    // boot, which is why the boot has to be named too. Source: proc_pid_stat(5).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const isZombie = /[ZXx]/.test(fields[0] ?? "");
    return { pid, startTime: `${boot}/${fields[19]}`, isZombie, group: Number(fields[2]) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}

/** The identity of the process that has this pid now; undefined when none has. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const details = inspectProcess(pid);
  return details === undefined ? undefined : { pid, startTime: details.startTime };
}

/** Does that very process still run? A zombie does not. */
export function isAlive(identity: ProcessIdentity): boolean {
  return isRunning(inspectProcess(identity.pid), identity);
}

/** Is what was found that very process, and does it run? */
export function isRunning(details: ProcessDetails | undefined, { startTime }: ProcessIdentity): boolean {
  return details !== undefined && details.startTime === startTime && !details.isZombie;
}

/**
 * Signals the process, and its whole group when it leads one. False when it is not that process any more; a zombie
 * still is, and holds its pid, so that what is left of its group can be ended safely.
 */
export function killGroup(identity: ProcessIdentity, signal: NodeJS.Signals): boolean {
  return signalGroup((pid) => inspectProcess(pid), identity, signal);
}

/** `killGroup` with its dependency as an argument: the watchdog takes this source text along too. */
export function signalGroup(
  inspect: (pid: number) => ProcessDetails | undefined,
  identity: ProcessIdentity,
  signal: NodeJS.Signals,
): boolean {
  const details = inspect(identity.pid);
  if (details === undefined || details.startTime !== identity.startTime) return false;
  if (process.platform === "win32") {
    // Windows has neither groups nor signals: the tree is ended by its root.
    const { spawnSync } = process.getBuiltinModule("node:child_process");
    const tree = ["/PID", String(identity.pid), "/T", "/F"];
    return spawnSync("taskkill.exe", tree, { windowsHide: true }).status === 0;
  }
  try {
    process.kill(details.group === identity.pid ? -identity.pid : identity.pid, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

/** Resolves to true once the process is gone, or to false after `timeoutMs`. There is no event for strangers' exits. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (isAlive(identity)) {
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}
