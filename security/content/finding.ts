/** What one layer of the content guard says of a text. */

export type Layer = "hidden" | "structure" | "marker" | "canary" | "classifier" | "transcript";

export interface Finding {
  layer: Layer;
  /** 0 to 1: how likely it is that the text is meant to steer whoever reads it. */
  score: number;
  /** In a few words, for a person. */
  says: string;
}
