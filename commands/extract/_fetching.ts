/** What commands that fetch files have in common: how much they take, and how long. */
import * as v from "valibot";
import { DEFAULT_MAX_BYTES, type TransferOptions } from "../../browser/download/received_file.ts";
import type { SessionContext } from "../context.ts";

const BYTES_PER_MEGABYTE = 1_000_000;

/** A slow line takes its time for a video. */
export const FETCH_TIMEOUT_MS = 10 * 60_000;

export const fetchParams = {
  maxMegabytes: v.exactOptional(
    v.pipe(v.number(), v.minValue(0.001), v.maxValue(10_000), v.description("Maximum size in MB (default 200)")),
  ),
  force: v.exactOptional(v.pipe(v.boolean(), v.description("Overwrite a file that browse did not make"))),
};

export function bytesAllowed({ maxMegabytes }: { maxMegabytes?: number }): number {
  return maxMegabytes === undefined ? DEFAULT_MAX_BYTES : Math.round(maxMegabytes * BYTES_PER_MEGABYTE);
}

/** A transfer as the caller's policy and patience allow it. */
export function transferFor({ checkHop, signal, progress }: SessionContext, maxBytes: number): TransferOptions {
  return { checkHop, maxBytes, onProgress: (done, total) => progress(done, total, "bytes"), signal };
}
