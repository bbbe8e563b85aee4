/** Times that are given by flags. */
import { BrowseError } from "../errors.ts";
import { durationMs, durationText } from "../wording.ts";

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
