import { BrowseError } from "../rpc/errors.ts";

/** A first-come, first-served lock. Work on one tab waits here for the work before it. */
export class TabLock {
  #tail: Promise<void> = Promise.resolve();

  /** Resolves with the function that lets the next one in; rejects, leaving the queue intact, when `signal` aborts. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    const ahead = this.#tail;
    const { done, release } = hold();
    this.#tail = ahead.then(() => done);
    return await releaseAfter(ahead, release, signal);
  }
}

/** Held by any number together, or by one alone; who comes first is served first. */
export class SharedLock {
  /** Settles when the last one to have it alone has let go. */
  #alone: Promise<unknown> = Promise.resolve();
  /** Settles when all have let go who have shared it since. */
  #shared: Promise<unknown> = Promise.resolve();

  /** Like `TabLock.acquire`: alone. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    const ahead = Promise.all([this.#alone, this.#shared]);
    const { done, release } = hold();
    this.#alone = ahead.then(() => done);
    this.#shared = Promise.resolve();
    return await releaseAfter(ahead, release, signal);
  }

  /** The same, beside all others who share it. */
  async share(signal: AbortSignal): Promise<() => void> {
    const { done, release } = hold();
    this.#shared = Promise.all([this.#shared, done]);
    return await releaseAfter(this.#alone, release, signal);
  }
}

function hold(): { done: Promise<void>; release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { done: promise, release: resolve };
}

/** `release`, once what is ahead has settled; called already when the signal aborts before. */
async function releaseAfter(ahead: Promise<unknown>, release: () => void, signal: AbortSignal): Promise<() => void> {
  try {
    await untilAborted(ahead, signal);
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** `promise`, or a rejection with the signal's reason as soon as it aborts. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // It goes on without us, and may fail.
    promise.catch(() => undefined);
    throw abortReason(signal);
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(abortReason(signal));
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Why it aborted, as callers are told: what was given as the reason, `timeout` or `cancelled`. */
export function abortReason({ reason }: AbortSignal): BrowseError {
  if (reason instanceof BrowseError) return reason;
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  return isLate
    ? new BrowseError("timeout", "The page did not get there in time")
    : new BrowseError("cancelled", "The call was cancelled");
}
