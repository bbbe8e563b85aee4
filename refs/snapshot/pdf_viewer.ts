/** PDFs: the browser draws them in a document of its own, which has no elements. */
import type { Frame } from "playwright";
import { ask } from "../reader.ts";

/** Does the browser show its PDF viewer there? */
export async function showsPdf(frame: Frame, signal: AbortSignal): Promise<boolean> {
  const { type } = await ask(frame, "contentType", {}, { signal });
  return type === "application/pdf";
}
