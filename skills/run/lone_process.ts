/** A process of a skill that does one thing and can call nobody: its channel is no connection. */
import type { Readable } from "node:stream";
import { abortable, abortReason } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import type { Started } from "./sandbox.ts";
import { ScriptLog } from "./script_log.ts";
import { type ProcessWatch, SkillProcess } from "./skill_process.ts";

export interface LoneRun {
  /** What runs, in words: `The tests of "prices"`. */
  what: string;
  watchdog: ProcessWatch;
  signal: AbortSignal;
  timeoutMs: number;
  /** What `boot.ts` is told to do. */
  told: { method: string; params: Record<string, unknown> };
  onLine?: (line: string) => void;
}

/** `started` has a channel. Throws `timeout`, `skill_failed` over the bounds, what the signal says, and what `outcome` throws. */
export async function alone<T>(
  started: Started,
  { what, watchdog, signal, timeoutMs, told, onLine = () => {} }: LoneRun,
  outcome: (process: SkillProcess, log: ScriptLog) => Promise<T>,
): Promise<T> {
  const process = await SkillProcess.start(started, watchdog);
  const log = new ScriptLog({ onLine, onFlood: () => void process.kill() });
  for (const output of process.outputs) log.follow(output);
  const { channel } = process;
  // One that ends early does not read it.
  channel.on("error", () => undefined);
  channel.write(`${JSON.stringify(JSON.stringify(told))}\n`);
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const got = await abortable(outcome(process, log), AbortSignal.any([signal, late]));
    if (process.endedFor) throw process.endedFor;
    return got;
  } catch (error) {
    if (signal.aborted) throw abortReason(signal);
    if (!late.aborted) throw process.endedFor ?? error;
    throw new BrowseError("timeout", `${what} did not end in ${timeoutMs} ms, and were ended`, {
      details: { timeoutMs, log: log.lastLines },
    });
  } finally {
    await process.kill();
    log.end();
  }
}

/** The first line, undefined where it is longer than that; the rest is read, and dropped. */
export function firstLine(stream: Readable, maxBytes: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const chunks: Buffer[] = [];
  let length = 0;
  let isOver = false;
  stream.on("data", (chunk: Buffer) => {
    if (isOver) return;
    const end = chunk.indexOf("\n");
    const piece = end < 0 ? chunk : chunk.subarray(0, end);
    length += piece.length;
    if (length <= maxBytes) chunks.push(piece);
    isOver = end >= 0 || length > maxBytes;
    if (isOver) resolve(length > maxBytes ? undefined : Buffer.concat(chunks).toString("utf8"));
  });
  return promise;
}
