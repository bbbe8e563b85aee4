/** What a run came to, for the terminal. */
import type { Outcome } from "./run.ts";

const COLUMNS = ["campaign", "cases", "failed cases", "broken promises", "seconds"];

export function outcomeTable(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ campaign, played, failures, seconds }) => [
    campaign,
    String(played),
    String(new Set(failures.map(({ number }) => number ?? -1)).size),
    String(failures.length),
    seconds.toFixed(0),
  ]);
  return columns([COLUMNS, ...rows]);
}

/** How often each promise was broken, the most frequent first. */
export function promiseTable({ failures }: Outcome): string {
  const counts = [...Map.groupBy(failures, ({ promise }) => promise)]
    .map(([promise, of]) => ({ promise, of }))
    .toSorted((a, b) => b.of.length - a.of.length);
  const rows = counts.map(({ promise, of }) => [
    promise,
    String(of.length),
    of
      .slice(0, 6)
      .map(({ number }) => number ?? "run")
      .join(", "),
  ]);
  return rows.length === 0 ? "" : columns([["broken promise", "times", "cases"], ...rows]);
}

/** Cells one below the other. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
