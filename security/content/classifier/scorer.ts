/** What gives scores to windows of a text. */

/** A model, or several together. */
export interface Scorer {
  /** For each window how likely it is, 0 to 1, that it is meant to steer whoever reads it. */
  score(windows: readonly string[]): Promise<number[]>;
  close(): Promise<void>;
}

/** A part of a model: its numbers mean something only together with the others'. */
export interface RawMember {
  raw(windows: readonly string[]): Promise<number[]>;
  close(): Promise<void>;
}
