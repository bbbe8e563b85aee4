/** What a run came to, in figures. */
import { BrowseError } from "../../../errors.ts";
import type { Played } from "./judge.ts";
import type { Player } from "./player.ts";

/** By outcome: how often, and how long it took (p50, p99, the longest). */
export function summary({ played, crashes }: Pick<Player, "played" | "crashes">, wallMs: number): string {
  const groups = Map.groupBy(played, outcomeOf);
  const rows = [...groups].toSorted().map(([outcome, of]) => row(outcome, of));
  const failed = played.filter(({ error }) => error !== undefined);
  const dead = failed.filter(({ before }) => before !== undefined);
  return [
    `${played.length} sequences in ${(wallMs / 1000).toFixed(1)} s, ${crashes} crashes of Chromium`,
    ...rows,
    row("all refusals", failed),
    row("refusals on pages that keep still during the action", dead),
  ].join("\n");
}

function outcomeOf({ error, before }: Played): string {
  const how = before ? "page keeps still" : "page changes meanwhile";
  return `${error === undefined ? "succeeded" : error instanceof BrowseError ? error.kind : "untyped"}, ${how}`;
}

function row(what: string, played: readonly Played[]): string {
  const sorted = played.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0).toFixed(1);
  return `  ${what}: ${sorted.length}, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`;
}
