import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LifeLock } from "../../../security/process/life_lock.ts";
import { createLock, readLock, stateOf } from "../../../security/process/lock_file.ts";
import { identityOf } from "../../../security/process/process_identity.ts";

let stateDir: string;
let path: string;
const racers: ChildProcess[] = [];

beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "browse-lock-"));
  path = join(stateDir, "daemon.lock");
});

afterEach(async () => {
  for (const racer of racers.splice(0)) {
    if (racer.exitCode !== null || racer.signalCode !== null) continue;
    racer.kill("SIGKILL");
    await once(racer, "exit");
  }
  rmSync(stateDir, { recursive: true, force: true });
});

/** A pid that is used again: the process is there, but it is another one. */
const DEAD = { pid: process.pid, startTime: "of an earlier process" };

async function startRacers(count: number): Promise<ChildProcess[]> {
  const program = join(import.meta.dirname, "programs/life_lock_racer.ts");
  const started = Array.from({ length: count }, () => fork(program, { execArgv: [] }));
  racers.push(...started);
  await Promise.all(started.map((racer) => once(racer, "message")));
  return started;
}

interface Reply {
  won: boolean;
  held?: number;
  error?: string;
}

async function ask(racer: ChildProcess, message: { acquire: string } | { release: true }): Promise<Reply> {
  const reply = once(racer, "message");
  racer.send(message);
  return (await reply)[0] as Reply;
}

/** Lets all race for the lock: exactly one wins, and the others learn its pid. */
async function race(all: ChildProcess[]): Promise<ChildProcess> {
  const replies = await Promise.all(all.map((racer) => ask(racer, { acquire: stateDir })));
  expect(replies.filter((reply) => reply.error !== undefined)).toEqual([]);
  const winners = all.filter((_, index) => replies[index]?.won);
  expect(winners).toHaveLength(1);
  const holder = readLock(path)?.holder;
  expect(holder?.pid).toBe(winners[0]?.pid);
  return winners[0] as ChildProcess;
}

describe("one process", () => {
  test("takes the lock, another finds who holds it, and releasing leaves nothing", async () => {
    const taken = await LifeLock.acquire(stateDir);
    expect(await LifeLock.acquire(stateDir)).toEqual({ held: identityOf(process.pid) });
    if (!("lock" in taken)) return expect.unreachable();
    taken.lock.release();
    taken.lock.release();
    expect(readdirSync(stateDir)).toEqual([]);
  });

  test("releases its own lock only", async () => {
    const taken = await LifeLock.acquire(stateDir);
    rmSync(path);
    createLock(path, DEAD);
    if (!("lock" in taken)) return expect.unreachable();
    taken.lock.release();
    expect(existsSync(path)).toBe(true);
  });

  test.each(["", "garbage", '{"pid": 1}', "null"])("takes a lock that holds %j at once", async (text) => {
    writeFileSync(path, text, { mode: 0o600 });
    const startMs = performance.now();
    expect(await LifeLock.acquire(stateDir)).toHaveProperty("lock");
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });

  test("a lock without a holder may be in the making where it does not appear whole", () => {
    const found = { key: "", holder: undefined, ageMs: 0 };
    const nowhere = join(stateDir, "missing");
    expect(stateOf(found, 0, nowhere)).toBe("unsettled");
    expect(stateOf(found, 3_000, nowhere)).toBe("dead");
    expect(stateOf(found, 0, stateDir)).toBe("dead");
  });

  test.each<[string, (to: string) => void]>([
    ["link to a live holder's lock", (to) => symlinkSync(to, path)],
    ["dangling link", () => symlinkSync("nowhere", path)],
    ["folder", () => mkdirSync(join(path, "below"), { recursive: true })],
    ["lock that others may write to", (to) => [renameSync(to, path), chmodSync(path, 0o666)]],
  ])("a %s is nobody's lock", async (_what, plant) => {
    const planted = join(stateDir, "planted");
    createLock(planted, identityOf(process.pid) ?? DEAD);
    plant(planted);
    expect(await LifeLock.acquire(stateDir)).toHaveProperty("lock");
    expect(lstatSync(path).isFile()).toBe(true);
  });

  test("makes its lock again when that is missing or damaged, and knows when another has it", async () => {
    const taken = await LifeLock.acquire(stateDir);
    if (!("lock" in taken)) return expect.unreachable();
    const { lock } = taken;
    expect(lock.look()).toBe("held");
    rmSync(path);
    expect(lock.look()).toBe("missing");
    lock.restore();
    expect(lock.look()).toBe("held");
    writeFileSync(path, "");
    expect(lock.look()).toBe("mended");
    expect(lock.look()).toBe("held");
    rmSync(path);
    createLock(path, DEAD);
    expect(lock.look()).toBe("mended");
    const [other] = await startRacers(1);
    rmSync(path);
    createLock(path, identityOf(other?.pid ?? 0) ?? DEAD);
    expect(lock.look()).toEqual(identityOf(other?.pid ?? 0));
  });

  test("leaves a dead lock to a live claimant, and says who that is", { timeout: 20_000 }, async () => {
    createLock(path, DEAD);
    const key = readLock(path)?.key ?? "";
    const identity = identityOf(process.pid);
    createLock(`${path}.claim-${key}`, identity ?? DEAD);
    expect(await LifeLock.acquire(stateDir)).toMatchObject({ held: { pid: process.pid } });
    expect(readLock(path)?.key).toBe(key);
  });

  test("a state folder that is not there is a typed error", async () => {
    await expect(LifeLock.acquire(join(stateDir, "missing"))).rejects.toMatchObject({ kind: "blocked_path" });
  });
});

describe("many processes", () => {
  test("racing for a free, a dead, and a dead and claimed lock: exactly one wins, every time", {
    timeout: 120_000,
  }, async () => {
    const all = await startRacers(12);
    for (let round = 0; round < 20; round += 1) {
      if (round % 5 !== 0) createLock(path, DEAD);
      // Claimants that were killed half way: each dead claim is claimed in turn.
      let target = path;
      for (let link = 0; link < round % 4; link += 1) {
        const claim = `${path}.claim-${readLock(target)?.key}`;
        if (createLock(claim, DEAD) !== undefined) target = claim;
      }
      const winner = await race(all);
      await ask(winner, { release: true });
      expect(readdirSync(stateDir)).toEqual([]);
    }
  });

  test("a winner that is killed is followed by exactly one other", { timeout: 120_000 }, async () => {
    let all = await startRacers(6);
    while (all.length > 1) {
      const winner = await race(all);
      all = all.filter((racer) => racer !== winner);
      winner.kill("SIGKILL");
      await once(winner, "exit");
    }
  });
});
