/** Repeated measurements, taken so that what else the machine does falls on all contenders alike. */
import { setTimeout as pause } from "node:timers/promises";
import type { Figure, Limit, Unit } from "./scenario.ts";

export class Samples {
  readonly #values: readonly number[];
  readonly #sorted: readonly number[];

  constructor(values: readonly number[]) {
    if (values.length === 0) throw new Error("Cannot summarize: nothing was measured");
    this.#values = values;
    this.#sorted = values.toSorted((a, b) => a - b);
  }

  get median(): number {
    return this.quantile(0.5);
  }

  get max(): number {
    return this.quantile(1);
  }

  /** The smallest value that at least this share of the values does not exceed. */
  quantile(share: number): number {
    const index = Math.max(0, Math.ceil(share * this.#sorted.length) - 1);
    return this.#sorted[index] as number;
  }

  /** What each measurement has over the other's of the same run, so that a busy moment falls on both. */
  over(other: Samples): Samples {
    return new Samples(this.#values.map((value, run) => value - (other.#values[run] ?? 0)));
  }

  figure(name: string, options: { unit?: Unit; limit?: Limit; note?: string } = {}): Figure {
    const { unit = "ms", ...rest } = options;
    const best = this.quantile(unit === "calls/s" ? 1 : 0);
    return { name, unit, value: this.median, best, p95: this.quantile(0.95), count: this.#sorted.length, ...rest };
  }
}

export interface AlternateOptions {
  runs: number;
  warmUp?: number;
}

export type Step = () => Promise<unknown>;

/** A step with what follows it unmeasured, such as closing what it opened. */
export interface Contender {
  step: Step;
  after?: Step;
}

/** Runs the contenders in turn, `runs` times after a warm-up, and gives the milliseconds of each. */
export async function alternate<Name extends string>(
  contenders: Readonly<Record<Name, Step | Contender>>,
  { runs, warmUp = 2 }: AlternateOptions,
): Promise<Record<Name, Samples>> {
  const entries = Object.entries<Step | Contender>(contenders).map(([name, contender]) => {
    const { step, after } = typeof contender === "function" ? { step: contender } : contender;
    return { name, step, after, times: [] as number[] };
  });
  for (let run = -warmUp; run < runs; run++) {
    for (const { step, after, times } of entries) {
      const ms = await timed(step);
      if (run >= 0) times.push(ms);
      await after?.();
    }
  }
  return Object.fromEntries(entries.map(({ name, times }) => [name, new Samples(times)])) as Record<Name, Samples>;
}

/** Runs on end of one contender. */
const BLOCK = 5;
/** For what a contender has left going, in a browser of its own, to come to rest. */
const REST_MS = 500;

/**
 * Runs each contender a few times on end before the next, in turns, and gives the milliseconds of each: what one has left
 * going slows the first run of a block, which is not counted, and not those of another.
 */
export async function inBlocks(
  contenders: Readonly<Record<string, Step>>,
  { runs }: { runs: number },
): Promise<Record<string, Samples>> {
  const entries = Object.entries(contenders).map(([name, step]) => ({ name, step, times: [] as number[] }));
  for (let done = 0; done < runs; done += BLOCK) {
    for (const { step, times } of entries) {
      await pause(REST_MS);
      await step();
      for (let run = done; run < Math.min(done + BLOCK, runs); run++) times.push(await timed(step));
    }
  }
  return Object.fromEntries(entries.map(({ name, times }) => [name, new Samples(times)]));
}

/** Milliseconds. */
export async function timed(step: Step): Promise<number> {
  const started = performance.now();
  await step();
  return performance.now() - started;
}

/** How many times as long `one` takes as `other`, by their medians. */
export function ratio(name: string, one: Samples, other: Samples, limit?: Limit): Figure {
  return { name, unit: "×", value: one.median / other.median, ...(limit && { limit }) };
}
