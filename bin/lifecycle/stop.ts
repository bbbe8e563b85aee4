/** Ending a daemon: it is over when its process, its browser and their folders are gone. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { removeOwnFile } from "../../security/files/own_file.ts";
import { LifeLock } from "../../security/process/life_lock.ts";
import { killGroup, type ProcessIdentity, waitUntilGone } from "../../security/process/process_identity.ts";
import { isStarting, lockHolder } from "../../security/process/starters.ts";
import { reapOrphan } from "../../security/process/watchdog.ts";
import type { Reply } from "../cli/exchange.ts";
import { Failure } from "../cli/failure.ts";
import { LOOK_EVERY_MS, START_MS } from "../cli/limits.ts";
import { type Project, readRunning } from "../cli/project.ts";
import { startDaemon } from "./start.ts";

/** A daemon answers `stop` at once unless it hangs. */
const ANSWER_MS = 5_000;
/** It ends within 5 s, or cuts that short. */
const END_MS = 5_500;
/** A daemon whose state file was removed writes it again sooner. */
const RESTORED_MS = 1_500;
/** For a killed process to disappear. */
const GONE_MS = 3_000;

/** The same as the command itself gives. */
interface Stopped {
  /** Null when there was none. */
  pid: number | null;
  killed?: true;
  text: string;
}

/** How the daemon is asked, by its own protocol. */
type Ask = () => Promise<Reply>;

export interface EndOptions {
  name: "stop" | "restart";
  /** The daemon's script. */
  script: string;
  isJson: boolean;
  ask: Ask;
}

/** Has the project's daemon end, or ends it. Gives its own answer when it had one. Throws `Failure`. */
export async function endDaemon(project: Project, { name, isJson, script, ask }: EndOptions): Promise<Reply> {
  if (name === "restart") return await restartDaemon(project, script, ask);
  const end = await stopDaemon(project, ask);
  if (!("text" in end)) return end;
  const { text, ...result } = end;
  return { result: { stdout: `${isJson ? JSON.stringify(result) : text}\n`, stderr: "", exitCode: 0 } };
}

async function stopDaemon({ stateDir }: Project, ask: Ask): Promise<Reply | Stopped> {
  const daemon = await findDaemon(stateDir);
  if (!daemon) return { pid: null, text: "No daemon is running" };
  const reply = await answerOf(ask);
  if (typeof reply === "object" && hasFailed(reply)) return reply;
  if (reply === "unreachable") killGroup(daemon, "SIGTERM");
  if (reply === "silent" || !(await waitUntilGone(daemon, END_MS))) {
    await kill(stateDir, daemon);
    // A daemon that somebody stopped has not died.
    removeOwnFile(join(stateDir, "daemon.json"));
    const why = reply === "silent" ? "it did not answer" : "it did not end";
    return { pid: daemon.pid, killed: true, text: `Killed the daemon (pid ${daemon.pid}): ${why}` };
  }
  // One that was cut short has left its browser to the watchdog.
  if (existsSync(join(stateDir, "browser.json"))) await clear(stateDir);
  return typeof reply === "object" ? reply : { pid: daemon.pid, text: `Stopped the daemon (pid ${daemon.pid})` };
}

/** Sees to it that the old one is gone. */
async function restartDaemon(project: Project, script: string, ask: Ask): Promise<Reply> {
  const before = readRunning(project.stateDir);
  const reply = await ask();
  // One that was started to be restarted has no open tabs to wait for.
  if (hasFailed(reply) || !before) return reply;
  if (await waitUntilGone(before, END_MS)) return reply;
  await kill(project.stateDir, before);
  await startDaemon(project, { script, except: undefined });
  return reply;
}

/** The daemon that is there, or that somebody is just starting. */
async function findDaemon(stateDir: string): Promise<ProcessIdentity | undefined> {
  const startMs = Date.now();
  for (;;) {
    const passedMs = Date.now() - startMs;
    if (passedMs > START_MS || !isStarting(stateDir)) {
      const daemon = readRunning(stateDir) ?? lockHolder(stateDir);
      if (!daemon || "address" in daemon || passedMs > RESTORED_MS) return daemon;
    }
    await delay(LOOK_EVERY_MS);
  }
}

async function answerOf(ask: Ask): Promise<Reply | "unreachable" | "silent"> {
  const asked = ask().catch(() => "unreachable" as const);
  return await Promise.race([asked, delay(ANSWER_MS, "silent" as const, { ref: false })]);
}

/** It refused: nothing ends. */
function hasFailed({ result }: Reply): boolean {
  return (result as { exitCode: number } | undefined)?.exitCode !== 0;
}

/** With its browser and what both would leave behind. */
async function kill(stateDir: string, daemon: ProcessIdentity): Promise<void> {
  const isKilled = signalled(daemon) && (await waitUntilGone(daemon, GONE_MS));
  if (!isKilled) {
    throw new Failure(`The daemon (process ${daemon.pid}) cannot be ended`, "End it as the user that runs it");
  }
  await clear(stateDir);
}

/** Ends and removes what no daemon holds any more. */
async function clear(stateDir: string): Promise<void> {
  const taken = await LifeLock.acquire(stateDir);
  if (!("lock" in taken)) return;
  try {
    await reapOrphan(stateDir);
  } finally {
    taken.lock.release();
  }
}

/** False when it belongs to somebody else. */
function signalled(daemon: ProcessIdentity): boolean {
  try {
    killGroup(daemon, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}
