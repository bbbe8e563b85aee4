/** Times as they are typed: 500, 500ms, 5s, 2m, 1h, 7d. */
import { BrowseError } from "../errors.ts";

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Whole milliseconds; not a number for what is no time. */
export function durationMs(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text);
  return match ? Math.round(Number(match[1]) * UNIT_MS[(match[2] ?? "ms") as keyof typeof UNIT_MS]) : Number.NaN;
}

/** Milliseconds. Throws `invalid_params` that names the flag. */
export function parseDuration(flag: string, text: string, { min = 0, max }: { min?: number; max: number }): number {
  const ms = durationMs(text);
  if (ms >= min && ms <= max) return ms;
  throw new BrowseError(
    "invalid_params",
    `${flag} takes a time from ${durationText(min)} to ${durationText(max)}, such as 5s, not ${JSON.stringify(text)}`,
    { details: { flag } },
  );
}

/** In the largest unit that it is a whole number of. */
export function durationText(ms: number): string {
  const units = Object.entries(UNIT_MS).toReversed();
  const [unit, size] = units.find(([, size]) => ms >= size && ms % size === 0) ?? ["ms", 1];
  return `${ms / size} ${unit}`;
}
