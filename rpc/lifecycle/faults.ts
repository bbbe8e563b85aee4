/**
 * The last resort. The daemon holds everybody's tabs and logins, so what nobody caught ends the feature it happened in and
 * not the process: it is written down, counted for `doctor` and `status`, and all else goes on.
 */

/** What nobody caught since the daemon started. */
export interface FaultFigures {
  count: number;
  /** ISO 8601, of the newest. */
  lastAt?: string;
}

/** Between two entries in the log: a fault in a storm would wash everything else out of it. */
const APART_MS = 1_000;

export class Faults {
  readonly #log: (message: string, cause: unknown) => void;
  #figures: FaultFigures = { count: 0 };
  #loggedAt = Number.NEGATIVE_INFINITY;
  #unlogged = 0;

  constructor(log: (message: string, cause: unknown) => void) {
    this.#log = log;
  }

  get figures(): FaultFigures {
    return this.#figures;
  }

  /** From now on nothing that is thrown or rejected anywhere ends the process. */
  catchAll(): void {
    process.on("uncaughtException", (error) => this.#note("An exception was not caught", error));
    process.on("unhandledRejection", (reason) => this.#note("A rejection was not handled", reason));
  }

  #note(what: string, cause: unknown): void {
    this.#figures = { count: this.#figures.count + 1, lastAt: new Date().toISOString() };
    const now = performance.now();
    if (now - this.#loggedAt < APART_MS) {
      this.#unlogged++;
      return;
    }
    const before = this.#unlogged === 0 ? "" : `; ${this.#unlogged} more came right after the one before`;
    this.#loggedAt = now;
    this.#unlogged = 0;
    try {
      this.#log(`${what}${before}`, cause);
    } catch {
      // A log that cannot be written is no reason to end either.
    }
  }
}
