/** Figures of a daemon for `status`: what it was asked, what came of it, how long it took. */
import type { JournalEntry } from "./journal.ts";

/** Of each command, the newest so many durations count for its quantiles. */
const WINDOW = 512;

export interface CommandFigures {
  command: string;
  /** Calls by outcome: "ok", or the kind of the error. */
  outcomes: Record<string, number>;
  /** Milliseconds, of the newest calls. */
  p50: number;
  p95: number;
  p99: number;
  max: number;
}

interface Count {
  outcomes: Map<string, number>;
  /** The newest, in no order. */
  durations: Float64Array;
  calls: number;
  max: number;
}

export class Metrics {
  readonly #counts = new Map<string, Count>();

  note({ command, outcome, ms }: Pick<JournalEntry, "command" | "outcome" | "ms">): void {
    let count = this.#counts.get(command);
    if (!count) {
      count = { outcomes: new Map(), durations: new Float64Array(WINDOW), calls: 0, max: 0 };
      this.#counts.set(command, count);
    }
    count.outcomes.set(outcome, (count.outcomes.get(outcome) ?? 0) + 1);
    count.durations[count.calls++ % WINDOW] = ms;
    count.max = Math.max(count.max, ms);
  }

  /** Those called most come first. */
  get commands(): CommandFigures[] {
    return [...this.#counts]
      .sort(([, a], [, b]) => b.calls - a.calls)
      .map(([command, count]) => figuresOf(command, count));
  }
}

function figuresOf(command: string, { outcomes, durations, calls, max }: Count): CommandFigures {
  const sorted = durations.slice(0, Math.min(calls, WINDOW)).sort();
  const quantile = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return {
    command,
    outcomes: Object.fromEntries(outcomes),
    p50: quantile(0.5),
    p95: quantile(0.95),
    p99: quantile(0.99),
    max,
  };
}
