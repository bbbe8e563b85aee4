/** Work that ends early: because its signal aborts, or because its time is over. */
import { BrowseError } from "./errors.ts";

/** `promise`, or a rejection with the signal's reason as soon as it aborts. The work itself goes on, and may fail unseen. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
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
export function abortReason({ reason }: Pick<AbortSignal, "reason">): BrowseError {
  if (reason instanceof BrowseError) return reason;
  const isLate = reason instanceof DOMException && reason.name === "TimeoutError";
  return isLate
    ? new BrowseError("timeout", "Timed out waiting for the page")
    : new BrowseError("cancelled", "The call was cancelled");
}

/** Resolves after `ms`; rejects with `abortReason` as soon as `signal` aborts. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await abortable(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** What `promise` resolves with, or `otherwise` when that takes longer than `ms`. Rejects as `promise` does. */
export async function within<T, Otherwise>(
  ms: number,
  promise: Promise<T>,
  otherwise: Otherwise,
): Promise<T | Otherwise> {
  const { promise: late, resolve } = Promise.withResolvers<Otherwise>();
  const timer = setTimeout(resolve, ms, otherwise);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
