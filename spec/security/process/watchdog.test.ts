import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isBrowserFolder, makeBrowserFolder } from "../../../security/process/browser_folder.ts";
import { readBrowserRecord, writeBrowserRecord } from "../../../security/process/browser_record.ts";
import {
  identityOf,
  isAlive,
  killGroup,
  type ProcessIdentity,
  waitUntilGone,
} from "../../../security/process/process_identity.ts";
import { reapOrphan, Watchdog } from "../../../security/process/watchdog.ts";

let stateDir: string;
let profile: string;
/** A folder that is not among the temporary ones, wherever this checkout lies. */
let elsewhere: string;
/** Everything a test started, killed at its end if it is still there. */
let started: ProcessIdentity[];

beforeEach(() => {
  stateDir = realpathSync(mkdtempSync(join(tmpdir(), "browse-watchdog-")));
  profile = makeBrowserFolder(stateDir).path;
  elsewhere = mkdtempSync(join(homedir(), ".browse-spec-"));
  writeFileSync(join(profile, "Cookies"), "x");
  started = [];
});

afterEach(async () => {
  for (const identity of started) {
    killGroup(identity, "SIGKILL");
    expect(await waitUntilGone(identity, 5000)).toBe(true);
  }
  for (const folder of [stateDir, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

function running(pid: number | undefined): ProcessIdentity {
  const identity = identityOf(pid ?? 0);
  if (identity === undefined) throw new Error(`There is no process ${pid}`);
  started.push(identity);
  return identity;
}

interface Owner {
  process: ChildProcess;
  identity: ProcessIdentity;
  watchdog: ProcessIdentity;
  /** The leader of the watched group and one more of its members. */
  group: ProcessIdentity[];
}

/** Starts a small daemon that has a group of processes watched. `bundled` runs it the way it is shipped. */
async function startOwner(
  folders = [profile],
  program = join(import.meta.dirname, "programs/watched_owner.ts"),
): Promise<Owner> {
  const child = fork(program, [stateDir, ...folders], { detached: true, execArgv: [] });
  const identity = running(child.pid);
  const [message] = (await once(child, "message")) as [{ pids: number[]; watchdog: number }];
  return { process: child, identity, watchdog: running(message.watchdog), group: message.pids.map(running) };
}

async function tell(owner: Owner, message: string): Promise<{ watchdog?: number }> {
  const reply = once(owner.process, "message");
  owner.process.send(message);
  return (await reply)[0] as { watchdog?: number };
}

async function kill(owner: Owner, target: number): Promise<void> {
  const ended = once(owner.process, "exit");
  process.kill(target, "SIGKILL");
  await ended;
}

async function expectAllGone(identities: ProcessIdentity[]): Promise<void> {
  for (const identity of identities) expect(await waitUntilGone(identity, 10_000)).toBe(true);
}

describe("when the owner is killed", () => {
  test("the watched group, its members and its folder go, and then the watchdog", async () => {
    const owner = await startOwner();
    await kill(owner, owner.identity.pid);
    await expectAllGone([...owner.group, owner.watchdog]);
    expect(existsSync(profile)).toBe(false);
  });

  test("with its whole process group, the watchdog is not hit", async () => {
    const owner = await startOwner();
    await kill(owner, -owner.identity.pid);
    await expectAllGone([...owner.group, owner.watchdog]);
  });

  test("signals that end other programs do not end the watchdog", async () => {
    const owner = await startOwner();
    // An answer that needs the pipe shows that the watchdog's program runs, so the signals do not hit a start-up.
    const { watchdog } = await tell(owner, "ping");
    expect(watchdog).toBe(owner.watchdog.pid);
    await untilItIgnoresSignals(owner.watchdog);
    for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.kill(owner.watchdog.pid, signal);
    await kill(owner, owner.identity.pid);
    await expectAllGone([...owner.group, owner.watchdog]);
    expect(existsSync(profile)).toBe(false);
  });

  test("a process that was unwatched stays, with its folder", async () => {
    const owner = await startOwner();
    await tell(owner, "unwatch");
    await kill(owner, owner.identity.pid);
    await expectAllGone([owner.watchdog]);
    expect(owner.group.every(isAlive)).toBe(true);
    expect(existsSync(profile)).toBe(true);
  });

  test("only folders of browsers are removed", async () => {
    const link = join(stateDir, "run/0123abcd");
    symlinkSync(elsewhere, link);
    const foreign = [elsewhere, link, stateDir, tmpdir(), "/", join(stateDir, "run"), join(profile, "..", "..")];
    expect(foreign.filter((folder) => isBrowserFolder(stateDir, folder))).toEqual([]);
    const owner = await startOwner([...foreign, profile]);
    await kill(owner, owner.identity.pid);
    await expectAllGone([owner.watchdog]);
    expect([elsewhere, stateDir, profile].map((folder) => existsSync(folder))).toEqual([true, true, false]);
  });
});

/** The record is written behind `watch`, and appears by a rename. */
async function waitForRecord(): Promise<void> {
  while (readBrowserRecord(stateDir) === undefined) await new Promise(setImmediate);
}

/** Linux says which signals a process catches; elsewhere the pipe's answer has to do. */
async function untilItIgnoresSignals(identity: ProcessIdentity): Promise<void> {
  if (process.platform !== "linux") return;
  const { readFile } = await import("node:fs/promises");
  const hup = 1n;
  for (;;) {
    const caught = /SigCgt:\s*([0-9a-f]+)/.exec(await readFile(`/proc/${identity.pid}/status`, "utf8"))?.[1] ?? "0";
    if ((BigInt(`0x${caught}`) & hup) !== 0n) return;
  }
}

describe("while the owner lives", () => {
  test("closing the watchdog ends it, and what was unwatched stays", async () => {
    const owner = await startOwner();
    await waitForRecord();
    expect(readBrowserRecord(stateDir)).toMatchObject({ value: { owner: { pid: owner.identity.pid } } });
    await tell(owner, "unwatch");
    await tell(owner, "close");
    expect(isAlive(owner.watchdog)).toBe(false);
    expect(owner.group.every(isAlive)).toBe(true);
    expect(readBrowserRecord(stateDir)).toBeUndefined();
  });

  test("closing a suspended watchdog that has nothing to watch ends it", async () => {
    const owner = await startOwner();
    process.kill(owner.watchdog.pid, "SIGSTOP");
    await tell(owner, "unwatch");
    await tell(owner, "close");
    expect(isAlive(owner.watchdog)).toBe(false);
    expect(owner.group.every(isAlive)).toBe(true);
  });

  test("a watchdog that is killed is replaced, and the new one watches the same", async () => {
    const troubles: string[] = [];
    let notice = () => {};
    const told = new Promise<void>((resolve) => {
      notice = resolve;
    });
    const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    const watchdog = new Watchdog({
      stateDir,
      onTrouble: (message) => {
        troubles.push(message);
        notice();
      },
    });
    watchdog.watch(running(child.pid), [profile]);
    const first = running(watchdog.pid);
    process.kill(first.pid, "SIGKILL");
    await told;
    expect(troubles).toEqual([expect.stringContaining("SIGKILL")]);
    expect(running(watchdog.pid).pid).not.toBe(first.pid);
    const ended = once(child, "exit");
    await watchdog.close();
    await ended;
    expect(existsSync(profile)).toBe(false);
  });

  test("a watchdog that keeps dying is given up, and that is said", async () => {
    const watchdog = new Watchdog({ stateDir, onTrouble: (message) => heard(message) });
    let heard: (message: string) => void = () => {};
    const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    watchdog.watch(running(child.pid));
    for (let last = ""; !last.includes("not started again"); ) {
      const pid = running(watchdog.pid).pid;
      const next = new Promise<string>((resolve) => {
        heard = resolve;
      });
      process.kill(pid, "SIGKILL");
      last = await next;
    }
    expect(watchdog.pid).toBeUndefined();
    expect(watchdog.isGivenUp).toBe(true);
    await watchdog.close();
  });

  test("nothing runs before something is watched", async () => {
    const watchdog = new Watchdog({ stateDir });
    expect(watchdog.pid).toBeUndefined();
    await watchdog.close();
  });
});

describe("what a dead daemon and its dead watchdog left", () => {
  const dead = { pid: process.pid, startTime: "of an earlier process" };

  test("is killed by the next daemon, with its folders", async () => {
    const owner = await startOwner();
    await waitForRecord();
    process.kill(owner.identity.pid, "SIGSTOP");
    process.kill(owner.watchdog.pid, "SIGKILL");
    await kill(owner, owner.identity.pid);
    expect(owner.group.every(isAlive)).toBe(true);
    expect(await reapOrphan(stateDir)).toBe("killed");
    await expectAllGone(owner.group);
    expect(existsSync(profile)).toBe(false);
    expect(await reapOrphan(stateDir)).toBe("none");
  });

  test("is left alone while its owner lives", async () => {
    const owner = await startOwner();
    await waitForRecord();
    expect(await reapOrphan(stateDir)).toBe("owned");
    expect(owner.group.every(isAlive)).toBe(true);
  });

  test("does not cost another process its life that has the pid now", async () => {
    const child = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
    const identity = running(child.pid);
    const browsers = [{ identity: { pid: identity.pid, startTime: "earlier" }, folders: [profile, elsewhere] }];
    await writeBrowserRecord(stateDir, { owner: dead, browsers });
    expect(await reapOrphan(stateDir)).toBe("already-gone");
    expect(isAlive(identity)).toBe(true);
    expect(existsSync(profile)).toBe(false);
    expect(existsSync(elsewhere)).toBe(true);
  });

  test("is dropped when the record is corrupt", async () => {
    writeFileSync(join(stateDir, "browser.json"), '{"owner":', { mode: 0o600 });
    expect(await reapOrphan(stateDir)).toBe("corrupt");
    expect(await reapOrphan(stateDir)).toBe("none");
  });
});

test("the watchdog works from a minified bundle too", async () => {
  const { build } = await import("esbuild");
  const program = join(stateDir, "owner.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "programs/watched_owner.ts")],
    outfile: program,
    bundle: true,
    minify: true,
    keepNames: true,
    platform: "node",
    format: "esm",
  });
  const owner = await startOwner([profile], program);
  await kill(owner, owner.identity.pid);
  await expectAllGone([...owner.group, owner.watchdog]);
  expect(existsSync(profile)).toBe(false);
});
