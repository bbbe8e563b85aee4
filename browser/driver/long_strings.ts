/**
 * What a page can make long without end is cut before the driver takes it in: it keeps requests, console lines, frames and
 * downloads by the hundred, each with addresses and texts as long as the page likes.
 */
import { cutText, headOf } from "../../security/content/cut_text.ts";

/** What Chromium, too, told of a body at most. Characters. */
const MAX = 65_536;
/** A stack trace is the deepest of what is told. */
const MAX_DEPTH = 12;
/** Their strings are no page's, or go back to it as they are. Nobody keeps them. */
const WHOLE: ReadonlySet<string | undefined> = new Set([
  "HeapProfiler.addHeapSnapshotChunk",
  "Page.javascriptDialogOpening",
  "Page.screencastFrame",
  "Runtime.bindingCalled",
  "Tracing.dataCollected",
]);

interface BodyPart {
  /** In base64. */
  bytes?: string;
}

/** Cuts the strings of an event where they are. */
export function cutLongStrings({ method, params }: { method?: string; params?: object }): void {
  if (params && !WHOLE.has(method)) cutIn(params as Record<string, unknown>, 0);
}

function cutIn(holder: Record<string, unknown>, depth: number): void {
  for (const name in holder) {
    const value = holder[name];
    if (typeof value === "string") {
      if (value.length > MAX) holder[name] = cutText(value, MAX);
    } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
      if (name === "postDataEntries") holder[name] = cutBody(value as BodyPart[]);
      else cutIn(value as Record<string, unknown>, depth + 1);
    }
  }
}

function cutBody(parts: BodyPart[]): BodyPart[] {
  if (parts.reduce((sum, { bytes = "" }) => sum + bytes.length, 0) <= MAX) return parts;
  let left = MAX;
  const kept = parts.map(({ bytes = "" }) => {
    const part = headOf(bytes, left);
    left -= part.length;
    return { bytes: part };
  });
  const more = `… (${bytesOf(parts) - bytesOf(kept)} more bytes)`;
  return [...kept.filter(({ bytes }) => bytes !== ""), { bytes: Buffer.from(more).toString("base64") }];
}

function bytesOf(parts: readonly BodyPart[]): number {
  return parts.reduce((sum, { bytes = "" }) => sum + Buffer.byteLength(bytes, "base64"), 0);
}
