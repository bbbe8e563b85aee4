/** The layers that read what a page says. */
import { scanText } from "../../../security/content/scan.ts";
import type { ReadingLayer } from "./content_guard.ts";

/** How a text is built. */
export const structureLayer: ReadingLayer = async (texts) =>
  texts.map((text) => {
    const { score, warnings } = scanText(text);
    return score > 0 ? [{ layer: "structure", score, says: warnings.join("; ") }] : [];
  });
