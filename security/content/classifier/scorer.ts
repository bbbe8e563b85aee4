/** What gives scores to windows of a text. */

import type { WindowShape } from "./windows.ts";

/** A model, or several together. */
export interface Scorer {
  /** What it is to be given; absent where it does not say. */
  readonly windows?: WindowShape;
  /** For each window how likely it is, 0 to 1, that it is meant to steer whoever reads it. */
  score(windows: readonly string[]): Promise<number[]>;
  close(): Promise<void>;
}

/** A part of a model: its numbers mean something only together with the others'. */
export interface RawMember {
  raw(windows: readonly string[]): Promise<number[]>;
  close(): Promise<void>;
}
