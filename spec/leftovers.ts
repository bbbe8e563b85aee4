/**
 * Runs around all tests: marks every process that they start, and fails the run when one of them is still there at the
 * end. A mark in the environment is inherited by whatever a test starts, detached daemons and browsers included.
 */

import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { untilEnded } from "./harness/is_running.ts";

const MARK = "TEST_RUN_OF_BROWSE";
/** Processes that were told to end get this long for it. */
const PATIENCE_MS = 5_000;

/** Called by Vitest before the tests; what it returns, after them. */
export default function setup(): () => Promise<void> {
  const run = randomUUID();
  process.env[MARK] = run;
  return async () => {
    const deadline = Date.now() + PATIENCE_MS;
    let left = processesOf(run);
    while (left.length > 0 && Date.now() < deadline) {
      await untilEnded(
        left.map(({ pid }) => pid),
        deadline - Date.now(),
      );
      left = processesOf(run);
    }
    for (const { pid } of left) process.kill(pid, "SIGKILL");
    if (left.length === 0) return;
    const list = left.map(({ pid, command, folder }) => `  ${pid} ${command} in ${folder}`).join("\n");
    throw new Error(`The tests left ${left.length} processes behind:\n${list}`);
  };
}

/** The processes with our mark, Vitest's own workers aside. Linux tells; elsewhere nothing is found. */
function processesOf(run: string): { pid: number; command: string; folder: string }[] {
  if (!existsSync("/proc/self/environ")) return [];
  const pids = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.flatMap((pid) => {
    const command = readProc(pid, "cmdline").replaceAll("\0", " ").slice(0, 200);
    const isOurs = readProc(pid, "environ").split("\0").includes(`${MARK}=${run}`);
    const isRunner = pid === process.pid || command.includes("vitest") || command === "";
    return isOurs && !isRunner ? [{ pid, command, folder: folderOf(pid) }] : [];
  });
}

/** Tells whose it is: each project of a test has its own. */
function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "?";
  }
}

function readProc(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    // It ended meanwhile, or belongs to another user.
    return "";
  }
}
