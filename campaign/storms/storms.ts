/** Pages that do one thing without end, and what everybody else notices of it. */
import { readFileSync, writeFileSync } from "node:fs";
import { STORM_NAMES, stormPage } from "../../bench/pages/storms.ts";
import { Site } from "../../spec/harness/site.ts";
import type { Arena, ArenaOptions, Broken, Campaign, Round } from "../arena.ts";
import { columns } from "../table.ts";
import { Workspace } from "../workspace.ts";
import { measureStorm, type StormFigures } from "./measure.ts";

const MEASURED_MS = 8_000;
const SLICE_MEASURED_MS = 1_500;
/** How much slower a quiet tab may answer, and what nobody minds however it compares. */
const MEDIAN_FACTOR = 2;
const MEDIAN_FLOOR_MS = 40;
const P99_FACTOR = 5;
const P99_FLOOR_MS = 400;
const CLOSES_WITHIN_MS = 2_000;
const STOPS_WITHIN_MS = 5_000;
const MAX_DAEMON_MEGABYTES = 400;

export const storms: Campaign = {
  name: "storms",
  cases: STORM_NAMES.length,
  open: async (options) => await StormArena.open(options),
};

type Results = Record<string, StormFigures>;

class StormArena implements Arena {
  readonly #options: ArenaOptions;
  readonly #site: Site;
  readonly #results: Results = {};

  private constructor(options: ArenaOptions, site: Site) {
    this.#options = options;
    this.#site = site;
  }

  static async open(options: ArenaOptions): Promise<StormArena> {
    const pages = STORM_NAMES.map((name) => [`/${name}`, stormPage(name) ?? ""] as const);
    const quiet = "<!doctype html><title>Quiet</title><p>Nothing happens here</p>";
    return new StormArena(options, await Site.serve({ ...Object.fromEntries(pages), "/quiet": quiet }));
  }

  /** Each storm in its turn; the seed says which comes first. */
  draw(number: number): Round {
    const name = STORM_NAMES[(number + this.#options.seed) % STORM_NAMES.length] ?? "console";
    return { name, play: async () => await this.#play(name) };
  }

  figures(): string[] {
    const { baseline, save } = this.#options;
    if (save !== undefined) writeFileSync(save, `${JSON.stringify(this.#results, null, 2)}\n`);
    const before = baseline === undefined ? {} : (JSON.parse(readFileSync(baseline, "utf8")) as Results);
    const heading = ["storm", "text p50", "p99", "closetab", "daemon", "stop", "(calm p50", "p99)"];
    const rows = Object.entries(this.#results).map(([name, now]) => rowOf(name, now, before[name]));
    return columns([heading, ...rows]).split("\n");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#site[Symbol.asyncDispose]();
  }

  async #play(name: string): Promise<Broken[]> {
    await using workspace = new Workspace();
    const figures = await measureStorm(workspace, {
      quietUrl: `${this.#site.url}/quiet`,
      stormUrl: `${this.#site.url}/${name}`,
      forMs: this.#options.isSlice ? SLICE_MEASURED_MS : MEASURED_MS,
    });
    this.#results[name] = figures;
    return brokenBy(figures);
  }
}

function brokenBy(figures: StormFigures): Broken[] {
  const { calmMedianMs, calmP99Ms, stormMedianMs, stormP99Ms, closeMs, daemonMegabytes, stopMs } = figures;
  const limits: readonly (readonly [promise: string, value: number, limit: number, unit: string])[] = [
    ["a storm does not slow a quiet tab", stormMedianMs, Math.max(MEDIAN_FLOOR_MS, calmMedianMs * MEDIAN_FACTOR), "ms"],
    ["a storm does not make a quiet tab hang", stormP99Ms, Math.max(P99_FLOOR_MS, calmP99Ms * P99_FACTOR), "ms"],
    ["the tab of a storm closes", closeMs, CLOSES_WITHIN_MS, "ms"],
    ["a storm does not swell the daemon", daemonMegabytes, MAX_DAEMON_MEGABYTES, "MB"],
    ["stop is over soon", stopMs, STOPS_WITHIN_MS, "ms"],
  ];
  return limits
    .filter(([, value, limit]) => value > limit)
    .map(([promise, value, limit, unit]) => ({
      promise,
      seen: `${value.toFixed(0)} of at most ${limit.toFixed(0)} ${unit}`,
    }));
}

function rowOf(name: string, now: StormFigures, before: StormFigures | undefined): string[] {
  const cell = (key: keyof StormFigures, unit: string) => {
    const was = before ? `${before[key].toFixed(0)} → ` : "";
    return `${was}${now[key].toFixed(0)} ${unit}`;
  };
  return [
    name,
    cell("stormMedianMs", "ms"),
    cell("stormP99Ms", "ms"),
    cell("closeMs", "ms"),
    cell("daemonMegabytes", "MB"),
    cell("stopMs", "ms"),
    cell("calmMedianMs", "ms"),
    cell("calmP99Ms", "ms"),
  ];
}
