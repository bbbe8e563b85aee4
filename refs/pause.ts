import { BrowseError } from "../rpc/errors.ts";

/** Resolves after `ms`; rejects as soon as `signal` aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = () =>
    reject(
      signal.reason instanceof BrowseError ? signal.reason : new BrowseError("cancelled", "The call was cancelled"),
    );
  if (signal.aborted) onAbort();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  }
}
