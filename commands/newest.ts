/** Lists of what happened show the newest of it, in the order of time, and say how many came before. */
import * as v from "valibot";

/** Entries of one answer, unless more are asked for (protocol.md, CLI). */
const NEWEST = 50;
/** As many as are kept at all. */
export const MOST = 50_000;

export const Last = v.exactOptional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(1),
    v.maxValue(MOST),
    v.description(`Show the newest N (default ${NEWEST})`),
  ),
);

export const Before = v.exactOptional(v.pipe(v.number(), v.description("How many there are before these")));

/** The newest of all, and how many are before them where there are any. */
export function newestOf<Entry>(all: readonly Entry[], last = NEWEST): { shown: Entry[]; before?: number } {
  const before = all.length - last;
  return before > 0 ? { shown: all.slice(before), before } : { shown: [...all] };
}

/** The line above a list that has not all; none where it has. `what` is one of them. */
export function beforeLines(before: number | undefined, command: string, shown: number): string[] {
  return before === undefined
    ? []
    : [`… ${before.toLocaleString("en")} before these: ${command} --last ${before + shown}`];
}
