import { BrowseError } from "../rpc/errors.ts";

/** A first-come, first-served lock. Work on one tab waits here for the work before it. */
export class TabLock {
  #tail: Promise<void> = Promise.resolve();

  /** Resolves with the function that lets the next one in; rejects, leaving the queue intact, when `signal` aborts. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    const ahead = this.#tail;
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    this.#tail = ahead.then(() => done);
    try {
      await untilAborted(ahead, signal);
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }
}

/** `promise`, or a rejection with the signal's reason as soon as it aborts. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw abortReason(signal);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(abortReason(signal));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function abortReason(signal: AbortSignal): unknown {
  return signal.reason instanceof BrowseError ? signal.reason : new BrowseError("cancelled", "The call was cancelled");
}
