/** One process of ours that runs somebody's script: started, watched, and ended with all that it has started itself. */
import { type ChildProcess, type IOType, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import type { Duplex, Readable } from "node:stream";
import { within } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { identityOf, killGroup, type ProcessIdentity } from "../../security/process/process_identity.ts";
import { inheritedDescriptors } from "./inherited.ts";
import { memoryOf, processTree } from "./process_tree.ts";
import { MAX_PROCESS_BYTES, type Started } from "./sandbox.ts";

/** Sees to it that the process does not outlive the daemon. */
export interface ProcessWatch {
  watch(identity: ProcessIdentity): void;
  unwatch(identity: ProcessIdentity): void;
}

/** Tells Node which descriptor `process.send` writes to. */
const CHANNEL_FD = "NODE_CHANNEL_FD";
const CHANNEL = 3;

/** The same process with a channel to the daemon. */
export function withChannel(started: Started): Started {
  return { ...started, env: { ...started.env, [CHANNEL_FD]: String(CHANNEL) } };
}

const MEMORY_EVERY_MS = 100;
/** How long a script that is told to end may take. */
const GRACE_MS = 2_000;
/** For the system to take a killed process away. */
const GONE_MS = 3_000;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export class SkillProcess {
  readonly #child: ChildProcess;
  readonly #identity: ProcessIdentity | undefined;
  readonly #memoryTimer: NodeJS.Timeout;
  /** Resolves when it has ended and all that it wrote was read. Never rejects. */
  readonly exited: Promise<Exit>;
  hasExited = false;
  /** Why it was ended, where that was not its own doing. */
  endedFor: BrowseError | undefined;

  /** Throws `unsupported` when it cannot be started. */
  static async start({ command, args, env, cwd }: Started, watchdog: ProcessWatch): Promise<SkillProcess> {
    const nothing = openSync(devNull, "r+");
    try {
      // A group of its own, which is ended as one.
      const child = spawn(command, args, { env, cwd, stdio: stdioOf(env, nothing), detached: true, windowsHide: true });
      await once(child, "spawn");
      return new SkillProcess(child, watchdog);
    } catch (cause) {
      throw new BrowseError("unsupported", "The process of a skill cannot be started", { cause });
    } finally {
      closeSync(nothing);
    }
  }

  private constructor(child: ChildProcess, watchdog: ProcessWatch) {
    this.#child = child;
    this.#identity = child.pid === undefined ? undefined : identityOf(child.pid);
    if (this.#identity) watchdog.watch(this.#identity);
    this.#memoryTimer = setInterval(() => this.#checkMemory(), MEMORY_EVERY_MS).unref();
    // A kill that fails is told by the process that goes on.
    child.on("error", () => undefined);
    this.exited = once(child, "close").then(([code, signal]) => {
      this.hasExited = true;
      clearInterval(this.#memoryTimer);
      if (this.#identity) watchdog.unwatch(this.#identity);
      return { code, signal } as Exit;
    });
  }

  /** Of one that was started `withChannel`. */
  get channel(): Duplex {
    return this.#child.stdio[CHANNEL] as Duplex;
  }

  get outputs(): Readable[] {
    return [this.#child.stdout, this.#child.stderr].filter((stream) => stream !== null);
  }

  /** Ends it at once. Resolves when it is gone. */
  async kill(): Promise<void> {
    if (this.#identity && !this.hasExited) {
      const [, ...behindWall] = processTree(this.#identity.pid);
      killGroup(this.#identity, "SIGKILL");
      // They are no part of its group, and end with the wall only once it is up.
      for (const pid of behindWall) signalled(pid, "SIGKILL");
    }
    // What it has started, and left behind with our pipes, is nothing to wait for.
    if ((await within(GONE_MS, this.exited, "late")) !== "late") return;
    for (const stream of this.#child.stdio) stream?.destroy();
    await within(GONE_MS, this.exited, undefined);
  }

  /** Tells it to end, and ends it when it does not within two seconds. Resolves when it is gone. */
  async terminate(): Promise<void> {
    // Behind the outer wall, the script's process is the last.
    const script = this.#identity && processTree(this.#identity.pid).at(-1);
    if (script !== undefined) signalled(script, "SIGTERM");
    if ((await within(GRACE_MS, this.exited, "late")) === "late") await this.kill();
  }

  #checkMemory(): void {
    if (!this.#identity || memoryOf(processTree(this.#identity.pid)) <= MAX_PROCESS_BYTES) return;
    const limit = `${MAX_PROCESS_BYTES / 1024 / 1024} MB`;
    this.endedFor ??= new BrowseError("skill_failed", `The skill took more than ${limit} of memory, and was ended`);
    killGroup(this.#identity, "SIGKILL");
  }
}

/** What was inherited is replaced by `nothing`. */
function stdioOf(env: NodeJS.ProcessEnv, nothing: number): StdioOptions {
  // The channel is a plain pipe: Node's own `ipc` would collect a line without end.
  const stdio: (IOType | number)[] = ["ignore", "pipe", "pipe", CHANNEL_FD in env ? "pipe" : "ignore"];
  for (const descriptor of inheritedDescriptors()) {
    while (stdio.length <= descriptor) stdio.push("ignore");
    if (stdio[descriptor] === "ignore") stdio[descriptor] = nothing;
  }
  return stdio;
}

function signalled(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}
