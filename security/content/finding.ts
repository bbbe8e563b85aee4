/** What one layer of the content guard found in what a page says. */

export const LAYERS = ["hidden", "structure", "marker", "canary", "classifier", "transcript"] as const;
export type Layer = (typeof LAYERS)[number];

export interface Finding {
  layer: Layer;
  /** 0 to 1: how sure the layer is that somebody is to be steered or robbed. */
  score: number;
  /** One line in our words; what it quotes of the page is cut and stands in quotes. */
  says: string;
}
