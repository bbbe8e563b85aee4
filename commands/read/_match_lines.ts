/**
 * Matching a caller's pattern on a thread of its own: one that backtracks without end costs the daemon nothing, and is
 * stopped. One thread for all, so that no number of such calls takes more than one processor core.
 */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { BrowseError } from "../../errors.ts";

/** All lines together. Twenty thousand take an ordinary pattern a twentieth of it. */
const MAX_MATCH_MS = 1_000;
/** Kept for the next call. */
const IDLE_MS = 10_000;
const MAX_HEAP_MB = 256;

/** Text of a program, since what is bundled has no file for it. */
const MATCHER = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ lines, pattern }) => {
  parentPort.postMessage(lines.flatMap((parts, index) => (parts.some((part) => pattern.test(part)) ? [index] : [])));
});
`;

let matcher: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
let matching: Promise<unknown> = Promise.resolve();

/**
 * Of which lines a part matches, each part by itself, in turn with other calls. Throws `invalid_params` for a pattern that
 * takes too long.
 */
export async function matchLines(
  lines: readonly (readonly string[])[],
  pattern: RegExp,
  signal: AbortSignal,
): Promise<number[]> {
  const match = matching.then(async () => {
    signal.throwIfAborted();
    return await matchNow(lines, pattern);
  });
  matching = match.catch(() => undefined);
  return await match;
}

async function matchNow(lines: readonly (readonly string[])[], pattern: RegExp): Promise<number[]> {
  clearTimeout(idle);
  matcher ??= startMatcher();
  const late = AbortSignal.timeout(MAX_MATCH_MS);
  try {
    matcher.postMessage({ lines, pattern });
    const [found] = await once(matcher, "message", { signal: late });
    return found;
  } catch (cause) {
    dismiss();
    throw new BrowseError("invalid_params", "The pattern takes too long to match", {
      hint: "Leave out nested repetitions such as (a+)+",
      cause,
    });
  } finally {
    idle = setTimeout(dismiss, IDLE_MS).unref();
  }
}

function startMatcher(): Worker {
  const worker = new Worker(MATCHER, { eval: true, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  worker.unref();
  // What ends it while nobody asks is nobody's; the next call starts another one.
  worker
    .on("error", () => undefined)
    .once("exit", () => {
      if (matcher === worker) matcher = undefined;
    });
  return worker;
}

function dismiss(): void {
  void matcher?.terminate();
  matcher = undefined;
}
