/** The snapshot of a stage's page, and its lines as tests compare them. */
import { renderSnapshot } from "../../refs/snapshot/render.ts";
import { type Snapshot, type SnapshotOptions, takeSnapshot } from "../../refs/snapshot/snapshot.ts";
import type { Stage } from "./act/stage.ts";

export type Flags = Omit<SnapshotOptions, "signal">;

export async function snapshotOf(stage: Stage, flags: Flags = {}): Promise<Snapshot> {
  return await takeSnapshot(stage.tab, { ...flags, signal: stage.signal });
}

/** The lines of the snapshot without header, each ref's number left out. */
export async function linesOf(stage: Stage, flags: Flags = {}): Promise<string[]> {
  const [, ...rest] = renderSnapshot(await snapshotOf(stage, flags)).split("\n");
  return rest.map((line) => line.replace(/@([ec])\d+/, "@$1"));
}
