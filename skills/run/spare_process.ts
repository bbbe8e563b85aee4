/** A process that was started ahead, for the next run of a skill that has just run: Node's own start is half of what a short run takes. */
import { lstatSync } from "node:fs";
import type { Started } from "./sandbox.ts";
import { type ProcessWatch, SkillProcess } from "./skill_process.ts";

/** It takes some 45 MB meanwhile. */
const KEPT_MS = 30_000;
/** Longer than a run's end takes: to start a process holds the daemon up, and whoever waits for the run has the answer first. */
const AFTER_ANSWER_MS = 100;

interface Spare {
  key: string;
  process: Promise<SkillProcess>;
  timer: NodeJS.Timeout;
}

export class SpareProcess {
  readonly #watchdog: ProcessWatch;
  #spare: Spare | undefined;
  #soon: NodeJS.Timeout | undefined;

  constructor(watchdog: ProcessWatch) {
    this.#watchdog = watchdog;
  }

  /** The one that waits for such a run, else a new one. Throws `unsupported` when none can be started. */
  async take(started: Started): Promise<SkillProcess> {
    const spare = this.#spare;
    if (spare?.key !== keyOf(started)) return await SkillProcess.start(started, this.#watchdog);
    clearTimeout(spare.timer);
    this.#spare = undefined;
    const process = await spare.process.catch(() => undefined);
    return process && !process.hasExited ? process : await SkillProcess.start(started, this.#watchdog);
  }

  /** Has one wait for the next run like this, for a while; there is one at a time. */
  prepare(started: Started): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#start(started), AFTER_ANSWER_MS).unref();
  }

  #start(started: Started): void {
    // Where runs follow each other quickly, it is there already.
    if (this.#spare?.key === keyOf(started)) return void this.#spare.timer.refresh();
    void this.end();
    const process = SkillProcess.start(started, this.#watchdog);
    // Who would take it starts another.
    process.catch(() => undefined);
    this.#spare = { key: keyOf(started), process, timer: setTimeout(() => void this.end(), KEPT_MS).unref() };
  }

  /** Resolves when none waits any more. Never rejects. */
  async end(): Promise<void> {
    clearTimeout(this.#soon);
    const spare = this.#spare;
    if (!spare) return;
    clearTimeout(spare.timer);
    this.#spare = undefined;
    await spare.process.then((process) => process.kill()).catch(() => undefined);
  }
}

/** The outer wall shows the folder that was there when it was put up, and not what has taken its place. */
function keyOf(started: Started): string {
  try {
    const { ino, birthtimeMs } = lstatSync(started.cwd);
    return JSON.stringify([started, ino, birthtimeMs]);
  } catch {
    // A process cannot be started there either.
    return JSON.stringify([started]);
  }
}
