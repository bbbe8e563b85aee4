/** What a scenario is and what it finds. */
import type { BenchContext } from "./context.ts";

export const GROUPS = [
  "peers",
  "connection",
  "refs",
  "cold",
  "size",
  "memory",
  "events",
  "storms",
  "tasks",
  "guard",
  "skills",
] as const;

export type Group = (typeof GROUPS)[number];

export interface Scenario {
  group: Group;
  name: string;
  /** What it must reach, in words. */
  target: string;
  run(context: BenchContext): Promise<Figure[]>;
}

export type Unit = "ms" | "bytes" | "MB" | "tokens" | "calls/s" | "modules" | "events" | "calls" | "characters" | "×";

export interface Figure {
  /** What was measured: `browse`, `node -e 0`, `browse ÷ agent-browser`. */
  name: string;
  unit: Unit;
  /** The median, for what was measured many times. */
  value: number;
  /** The best, which says most on a machine that is busy with other things. */
  best?: number;
  p95?: number;
  /** How often it was measured. */
  count?: number;
  /** What it is judged by; absent for what is only beside it. */
  limit?: Limit;
  note?: string;
}

export type Limit = { atMost: number } | { atLeast: number };

/** By how much the figure misses its limit, as a share of the limit; 0 when it is met. */
export function missedBy({ value, limit }: Figure): number {
  if (!limit) return 0;
  const [bound, over] =
    "atMost" in limit ? [limit.atMost, value - limit.atMost] : [limit.atLeast, limit.atLeast - value];
  return over > 0 ? over / bound : 0;
}
