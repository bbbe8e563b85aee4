/** Plays the cases of a campaign and keeps account of what broke. */
import type { Arena, ArenaOptions, Broken, Campaign } from "./arena.ts";

export interface Failure extends Broken {
  /** Absent for what only the whole run tells. */
  number?: number;
  name: string;
}

export interface Outcome {
  campaign: string;
  played: number;
  failures: Failure[];
  figures: string[];
  seconds: number;
}

export interface RunOptions extends ArenaOptions {
  cases?: number;
  /** The only case to play. */
  only?: number;
  /** Ends the run after the case that is being played. */
  signal?: AbortSignal;
  /** Told of each failure as it is found. */
  onFailure?: (failure: Failure) => void;
  /** Told after each case. */
  onCase?: (played: number, total: number, failures: number) => void;
}

export async function runCampaign(campaign: Campaign, options: RunOptions): Promise<Outcome> {
  const started = performance.now();
  const { only } = options;
  const numbers = only === undefined ? [...Array(options.cases ?? campaign.cases).keys()] : [only];
  const failures: Failure[] = [];
  const fail = (failure: Failure) => {
    failures.push(failure);
    options.onFailure?.(failure);
  };
  await using arena = await campaign.open(options);
  let played = 0;
  for (const number of numbers) {
    if (options.signal?.aborted) break;
    const { name, broken } = await playCase(arena, number);
    for (const one of broken) fail({ ...one, number, name });
    options.onCase?.(++played, numbers.length, failures.length);
  }
  for (const one of (await arena.judge?.()) ?? []) fail({ ...one, name: "the whole run" });
  return {
    campaign: campaign.name,
    played,
    failures,
    figures: arena.figures?.() ?? [],
    seconds: (performance.now() - started) / 1000,
  };
}

/** A case that throws has not been played: that is a failure too, and not the end of the run. */
async function playCase(arena: Arena, number: number): Promise<{ name: string; broken: Broken[] }> {
  const { name, play } = arena.draw(number);
  try {
    return { name, broken: await play() };
  } catch (error) {
    const seen = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { name, broken: [{ promise: "the case can be played", seen }] };
  }
}
