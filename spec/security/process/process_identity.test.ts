import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import {
  identityOf,
  isAlive,
  killGroup,
  type ProcessIdentity,
  waitUntilGone,
} from "../../../security/process/process_identity.ts";

const started: ChildProcess[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
});

function start(script: string, detached = false): ChildProcess {
  const child = spawn("/bin/sh", ["-c", script], { detached, stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  return child;
}

function identityOfChild(child: ChildProcess): ProcessIdentity {
  const identity = identityOf(child.pid ?? 0);
  if (identity === undefined) throw new Error("The child is not running");
  return identity;
}

/** Starts a group whose leader prints the pids of two further members. */
async function startGroup(detached: boolean): Promise<{ leader: ChildProcess; members: ProcessIdentity[] }> {
  const leader = start("sleep 300 & a=$!; sleep 300 & echo $a $!; wait", detached);
  const [line] = await once(leader.stdout ?? leader, "data");
  const members = String(line)
    .trim()
    .split(" ")
    .map((pid) => identityOf(Number(pid)));
  return { leader, members: members.filter((member) => member !== undefined) };
}

describe("identity", () => {
  test("of a running process stays the same, and of two processes differs", async () => {
    const child = start("exec sleep 300");
    const identity = identityOfChild(child);
    expect(identityOf(identity.pid)).toEqual(identity);
    expect(isAlive(identity)).toBe(true);
    expect(identityOf(process.pid)?.startTime).not.toBe(identity.startTime);
  });

  test("a pid that another process has now is not the one that was meant", () => {
    const reused = { pid: process.pid, startTime: "of an earlier process" };
    expect(isAlive(reused)).toBe(false);
    expect(killGroup(reused, "SIGKILL")).toBe(false);
  });

  test("of no process is undefined", async () => {
    const child = start("exit 0");
    await once(child, "exit");
    expect(identityOf(child.pid ?? 0)).toBeUndefined();
  });

  test("a dead process that nobody has asked for yet does not count as alive", async () => {
    // The shell becomes `sleep`, which never waits for the child that the shell had.
    const parent = start("sh -c 'echo $$; read line' < /dev/zero & exec sleep 300");
    const [line] = await once(parent.stdout ?? parent, "data");
    const identity = identityOf(Number(line));
    if (identity === undefined) throw new Error("The child is not running");
    process.kill(identity.pid, "SIGKILL");
    expect(await waitUntilGone(identity, 5000)).toBe(true);
    expect(identityOf(identity.pid)).toEqual(identity);
  });
});

describe("killing", () => {
  test("takes the whole group when the process leads one", async () => {
    const { leader, members } = await startGroup(true);
    const identity = identityOfChild(leader);
    expect(members).toHaveLength(2);
    const ended = once(leader, "exit");
    expect(killGroup(identity, "SIGKILL")).toBe(true);
    await ended;
    for (const member of members) expect(await waitUntilGone(member, 5000)).toBe(true);
    expect(killGroup(identity, "SIGKILL")).toBe(false);
  });

  test("takes the process alone when it leads none: its group is ours", async () => {
    const { leader, members } = await startGroup(false);
    const ended = once(leader, "exit");
    expect(killGroup(identityOfChild(leader), "SIGKILL")).toBe(true);
    await ended;
    for (const member of members) {
      expect(isAlive(member)).toBe(true);
      expect(killGroup(member, "SIGKILL")).toBe(true);
    }
  });

  test("waiting for a process that stays gives up at its time limit", async () => {
    expect(await waitUntilGone(identityOfChild(start("exec sleep 300")), 1)).toBe(false);
  });
});
