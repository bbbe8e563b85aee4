/** Pages that do one thing without end, and what everybody else notices of it. */
import { readFileSync, writeFileSync } from "node:fs";
import { type PageServer, servePages } from "../../bench/pages/serve.ts";
import { STORM_NAMES, type StormName } from "../../bench/pages/storms.ts";
import { BenchProject } from "../../bench/project.ts";
import { timed } from "../../bench/samples.ts";
import { measureStorm } from "../../bench/storm.ts";
import type { Arena, ArenaOptions, Broken, Campaign, Round } from "../arena.ts";
import { processesNaming } from "../processes.ts";
import { columns } from "../table.ts";

const STORM_MS = 8_000;
const SLICE_STORM_MS = 1_500;
/** How much slower a quiet tab may answer, and what nobody minds however it compares. */
const MEDIAN_FACTOR = 2;
const MEDIAN_FLOOR_MS = 40;
const P99_FACTOR = 5;
const P99_FLOOR_MS = 400;
/** A slice is too short for quantiles, and other tests run beside it: it only tells what hangs. */
const SLICE_FLOOR_MS = 2_000;
const CLOSES_WITHIN_MS = 2_000;
const STOPS_WITHIN_MS = 5_000;
const MAX_DAEMON_MEGABYTES = 400;

export const storms: Campaign = {
  name: "storms",
  cases: STORM_NAMES.length,
  open: async (options) => new StormArena(options, await servePages()),
};

/** As it is kept in a file. Milliseconds, and megabytes of the daemon. */
interface Kept {
  calmMedian: number;
  calmP99: number;
  median: number;
  p99: number;
  close: number;
  stop: number;
  daemon: number;
}

type Results = Partial<Record<StormName, Kept>>;

class StormArena implements Arena {
  readonly #options: ArenaOptions;
  readonly #pages: PageServer;
  readonly #before: Results;
  readonly #results: Results = {};

  constructor(options: ArenaOptions, pages: PageServer) {
    this.#options = options;
    this.#pages = pages;
    const { baseline } = options;
    this.#before = baseline === undefined ? {} : (JSON.parse(readFileSync(baseline, "utf8")) as Results);
  }

  /** Each storm in its turn; the seed says which comes first. */
  draw(number: number): Round {
    const name = STORM_NAMES[(number + this.#options.seed) % STORM_NAMES.length] as StormName;
    return { name, play: async () => await this.#play(name) };
  }

  figures(): string[] {
    const { save } = this.#options;
    if (save !== undefined) writeFileSync(save, `${JSON.stringify(this.#results, null, 2)}\n`);
    const heading = ["storm", "text p50", "p99", "closetab", "daemon", "stop", "calm p50", "calm p99"];
    const rows = (Object.entries(this.#results) as [StormName, Kept][]).map(([name, now]) =>
      rowOf(name, now, this.#before[name]),
    );
    return columns([heading, ...rows]).split("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pages[Symbol.asyncDispose]();
  }

  async #play(name: StormName): Promise<Broken[]> {
    await using project = new BenchProject();
    await project.cli("start");
    const isSlice = this.#options.isSlice === true;
    const ms = isSlice ? SLICE_STORM_MS : STORM_MS;
    const { quiet, busy, closeMs, peakMegabytes } = await measureStorm(name, { project, pages: this.#pages, ms });
    const kept = {
      calmMedian: quiet.median,
      calmP99: quiet.quantile(0.99),
      median: busy.median,
      p99: busy.quantile(0.99),
      close: closeMs,
      stop: await timed(async () => await stop(project)),
      daemon: peakMegabytes,
    };
    this.#results[name] = kept;
    return brokenBy(kept, isSlice);
  }
}

/** Until nothing of the project runs any more. */
async function stop(project: BenchProject): Promise<void> {
  await project.cli("stop");
  while (processesNaming([project.dir]).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

function brokenBy(
  { calmMedian, calmP99, median, p99, close, stop: stopped, daemon }: Kept,
  isSlice: boolean,
): Broken[] {
  const [medianFloor, p99Floor] = isSlice ? [SLICE_FLOOR_MS, SLICE_FLOOR_MS] : [MEDIAN_FLOOR_MS, P99_FLOOR_MS];
  const limits: readonly (readonly [promise: string, value: number, limit: number, unit: string])[] = [
    ["a storm does not slow a quiet tab", median, Math.max(medianFloor, calmMedian * MEDIAN_FACTOR), "ms"],
    ["a storm does not make a quiet tab hang", p99, Math.max(p99Floor, calmP99 * P99_FACTOR), "ms"],
    ["the tab of a storm closes", close, CLOSES_WITHIN_MS, "ms"],
    ["stop is over soon", stopped, STOPS_WITHIN_MS, "ms"],
    ["a storm does not swell the daemon", daemon, MAX_DAEMON_MEGABYTES, "MB"],
  ];
  return limits
    .filter(([, value, limit]) => value > limit)
    .map(([promise, value, limit, unit]) => ({
      promise,
      seen: `${value.toFixed(0)} of at most ${limit.toFixed(0)} ${unit}`,
    }));
}

function rowOf(name: string, now: Kept, before: Kept | undefined): string[] {
  const cell = (key: keyof Kept, unit = "ms") => {
    const was = before ? `${before[key].toFixed(0)} → ` : "";
    return `${was}${now[key].toFixed(0)} ${unit}`;
  };
  return [
    name,
    cell("median"),
    cell("p99"),
    cell("close"),
    cell("daemon", "MB"),
    cell("stop"),
    cell("calmMedian"),
    cell("calmP99"),
  ];
}
