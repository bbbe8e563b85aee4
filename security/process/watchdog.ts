/**
 * Sees to it that Chromium does not outlive this daemon, however the daemon ends: kill -9 leaves it no time to clean up,
 * so a small process of its own session does, when the pipe between them breaks.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { foldersOf, isBrowserFolder, leftFolders, removeBrowserFolders } from "./browser_folder.ts";
import { readBrowserRecord, removeBrowserRecord, writeBrowserRecord } from "./browser_record.ts";
import { identityOf, isAlive, killGroup, type ProcessIdentity, waitUntilGone } from "./process_identity.ts";
import { type WatchdogMessage, watchdogSource } from "./watchdog_process.ts";

interface WatchdogOptions {
  /** Where `browser.json` is kept, for `reapOrphan`. */
  stateDir: string;
  /** Told, for the log, when the watchdog died or something is not watched as asked. */
  onTrouble?: (message: string, cause?: unknown) => void;
}

/** How many times a watchdog that was killed is replaced in a daemon's life. */
const MAX_RESTARTS = 5;

/** Nothing runs until the first `watch`. */
export class Watchdog {
  readonly #stateDir: string;
  readonly #onTrouble: (message: string, cause?: unknown) => void;
  readonly #watched = new Map<string, { identity: ProcessIdentity; folders: string[] }>();
  #child: ChildProcessByStdio<Writable, null, null> | undefined;
  #recording: Promise<void> = Promise.resolve();
  #restarts = 0;
  #isClosed = false;

  constructor(options: WatchdogOptions) {
    this.#stateDir = options.stateDir;
    this.#onTrouble = options.onTrouble ?? (() => undefined);
  }

  /** The watchdog's pid while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** It was killed too often to be started again. */
  get isGivenUp(): boolean {
    return this.#restarts > MAX_RESTARTS;
  }

  /**
   * From now on the process (with its group, if it leads one) and its folders go when the daemon does. A folder that is
   * not a browser's own, such as a profile that is to be kept, is left alone.
   */
  watch(identity: ProcessIdentity, folders: readonly string[] = []): void {
    const entry = { identity, folders: folders.filter((folder) => isBrowserFolder(this.#stateDir, folder)) };
    this.#watched.set(keyOf(identity), entry);
    if (this.#child === undefined && !this.isGivenUp) this.#start();
    else this.#send({ watch: identity, folders: entry.folders });
    this.#record();
  }

  /** The process ended in order: leave it, and its folders, alone. */
  unwatch(identity: ProcessIdentity): void {
    if (!this.#watched.delete(keyOf(identity))) return;
    this.#send({ unwatch: identity });
    this.#record();
  }

  /** Ends the watchdog. What is still watched then is killed, after the same grace as when the daemon dies. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const child = this.#child;
    if (child !== undefined) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.ref();
      // With nothing left to do it is killed: one that was suspended would not see the end of its pipe.
      if (this.#watched.size === 0) child.kill("SIGKILL");
      else child.stdin.end();
      await ended;
    }
    this.#watched.clear();
    this.#record();
    await this.#recording;
  }

  #start(): void {
    const child = spawn(process.execPath, ["-e", watchdogSource()], {
      // A session of its own: who kills the daemon's process group does not kill the watchdog with it.
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: smallEnvironment(),
      windowsHide: true,
      cwd: "/",
    });
    this.#child = child;
    // Neither the process nor the pipe keeps a daemon alive that has nothing else to do.
    child.unref();
    (child.stdin as Writable & { unref?: () => void }).unref?.();
    // A broken pipe is told by the exit below.
    child.stdin.on("error", () => undefined);
    child.once("error", (error) => this.#replace(child, error.message));
    child.once("exit", (code, signal) => this.#replace(child, `it ended with ${signal ?? code}`));
    for (const { identity, folders } of this.#watched.values()) this.#send({ watch: identity, folders });
  }

  #replace(child: ChildProcessByStdio<Writable, null, null>, reason: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (this.#isClosed) return;
    this.#restarts += 1;
    this.#onTrouble(`The watchdog is gone: ${reason}${this.isGivenUp ? "; it is not started again" : ""}`);
    if (!this.isGivenUp) this.#start();
  }

  /** Writes are in order, and none is lost to another. */
  #record(): void {
    this.#recording = this.#recording.then(async () => {
      try {
        const owner = identityOf(process.pid);
        if (this.#watched.size === 0 || owner === undefined) removeBrowserRecord(this.#stateDir);
        else await writeBrowserRecord(this.#stateDir, { owner, browsers: [...this.#watched.values()] });
      } catch (error) {
        this.#onTrouble("Cannot keep the record of the browser", error);
      }
    });
  }

  #send(message: WatchdogMessage): void {
    this.#child?.stdin.write(`${JSON.stringify(message)}\n`);
  }
}

/** What `reapOrphan` found and did. */
type ReapOutcome = "none" | "corrupt" | "owned" | "already-gone" | "killed" | "not-killed";

/** Processes that a dead daemon left running: what `reapOrphan` would end. */
export function orphansIn(stateDir: string): ProcessIdentity[] {
  const file = readBrowserRecord(stateDir);
  if (file === undefined || "corrupt" in file || isAlive(file.value.owner)) return [];
  return file.value.browsers.map(({ identity }) => identity).filter(isAlive);
}

/**
 * Kills what a dead daemon left running, by pid and start time, and removes what it left in the state folder. Await it
 * under the life lock. A corrupt record is dropped: it proves nothing about any process. `current` is the folder of the
 * caller's own browser.
 */
export async function reapOrphan(stateDir: string, current?: string): Promise<ReapOutcome> {
  const outcome = await endOrphans(stateDir);
  if (outcome !== "owned" && outcome !== "not-killed") {
    removeBrowserFolders(stateDir, leftFolders(stateDir, current).flatMap(foldersOf));
  }
  return outcome;
}

async function endOrphans(stateDir: string): Promise<ReapOutcome> {
  const file = readBrowserRecord(stateDir);
  if (file === undefined) return "none";
  if ("corrupt" in file) {
    removeBrowserRecord(stateDir);
    return "corrupt";
  }
  if (isAlive(file.value.owner)) return "owned";
  let outcome: ReapOutcome = "already-gone";
  for (const { identity, folders } of file.value.browsers) {
    // A zombie counts too: its group may live on.
    if (killGroup(identity, "SIGKILL")) outcome = "killed";
    if (!(await waitUntilGone(identity, GONE_WITHIN_MS))) return "not-killed";
    removeBrowserFolders(stateDir, folders);
  }
  // A browser that was started meanwhile has its own record.
  if (isDeepStrictEqual(readBrowserRecord(stateDir), file)) removeBrowserRecord(stateDir);
  return outcome;
}

/** How long a killed process may take to disappear. */
const GONE_WITHIN_MS = 5000;

function keyOf(identity: ProcessIdentity): string {
  return `${identity.pid} ${identity.startTime}`;
}

/** No NODE_OPTIONS, which could make it a debugging target, and none of the daemon's secrets. */
function smallEnvironment(): NodeJS.ProcessEnv {
  const names = ["PATH", "SystemRoot", "TEMP", "TMP"];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
