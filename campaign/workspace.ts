/** A project in folders of its own, its daemon and browser driven from outside, and all of it gone at the end. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type CliAnswer, type CliOptions, type DaemonFile, Project } from "../spec/harness/project.ts";
import { isSameProcess, processesNaming, type SeenProcess, signal } from "./processes.ts";

/** Between two looks at something that takes its time. */
const LOOK_EVERY_MS = 20;
/** A call that has not come back after this long never will. */
const HANGS_MS = 90_000;
const ENDS_WITHIN_MS = 15_000;
const LOG_CHARS = 1_500;

export interface Timed extends CliAnswer {
  /** From sending to the whole answer. */
  ms: number;
}

export class Workspace implements AsyncDisposable {
  /** Holds everything but the project's own folder. */
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "browse-campaign-")));
  /** The temporary folder of the daemon and its browser. */
  readonly temporary = join(this.root, "tmp");
  /** The user's home. */
  readonly home = join(this.root, "home");
  readonly project: Project;

  constructor(env: Record<string, string> = {}, { ownProcesses = false } = {}) {
    mkdirSync(this.temporary, { mode: 0o700 });
    mkdirSync(this.home, { mode: 0o700 });
    const places = { TMPDIR: this.temporary, HOME: this.home, BROWSE_HOME: join(this.home, ".browse") };
    this.project = new Project({ ...places, ...env }, { ownProcesses });
  }

  /** Runs a command line; a negative exit code when no answer comes at all. */
  async cli(argv: readonly string[], options: CliOptions = {}): Promise<Timed> {
    const started = performance.now();
    const answer = await orAfter(this.project.cli(argv, options), HANGS_MS, {
      stdout: "",
      stderr: `No answer within ${HANGS_MS} ms\n`,
      exitCode: -1,
    });
    return { ...answer, ms: performance.now() - started };
  }

  /** Undefined when it cannot be read. */
  daemon(): DaemonFile | undefined {
    try {
      return this.project.daemon();
    } catch {
      return undefined;
    }
  }

  /** The last lines of the daemon's log. */
  logEnd(): string {
    try {
      return readFileSync(join(this.project.stateDir, "daemon.log"), "utf8").slice(-LOG_CHARS);
    } catch {
      return "(no log)";
    }
  }

  /** What belongs to this project. */
  processes(): SeenProcess[] {
    return processesNaming([this.root, this.project.dir]);
  }

  /** Those of its processes that still run when the time is over. */
  async remaining(withinMs = ENDS_WITHIN_MS): Promise<SeenProcess[]> {
    const deadline = performance.now() + withinMs;
    let left = this.processes();
    while (left.length > 0 && performance.now() < deadline) {
      await pause(LOOK_EVERY_MS);
      left = left.filter(isSameProcess);
      if (left.length === 0) left = this.processes();
    }
    return left;
  }

  /** Ends what is left by its id, then removes the folders. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.daemon()) await orAfter(this.project.cli(["stop"]), ENDS_WITHIN_MS, undefined).catch(() => undefined);
    for (const { pid } of await this.remaining()) signal(pid, "SIGKILL");
    await this.remaining();
    // Whatever state it is in: nothing is left of it that could be told to stop.
    rmSync(this.project.stateDir, { recursive: true, force: true });
    await this.project[Symbol.asyncDispose]();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** What comes of it, or else `late` when the time is over. */
async function orAfter<Value, Late>(work: Promise<Value>, ms: number, late: Late): Promise<Value | Late> {
  const timer = new AbortController();
  const over = pause(ms, late, { signal: timer.signal });
  try {
    return await Promise.race([work, over]);
  } finally {
    timer.abort();
    over.catch(() => undefined);
  }
}
