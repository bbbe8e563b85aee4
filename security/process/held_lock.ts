/** A lock that is held for moments, by one process and one call of it at a time. */
import { setTimeout as delay } from "node:timers/promises";
import { BrowseError } from "../../errors.ts";
import { LifeLock } from "./life_lock.ts";

const PATIENCE_MS = 10_000;

/**
 * Takes the lock of that name in `dir`, which exists, once nobody alive holds it. Throws `timeout` when somebody does for
 * longer than ten seconds, and `blocked_path`.
 */
export async function heldLock(dir: string, name: string): Promise<Disposable> {
  for (const started = performance.now(); ; ) {
    const result = await LifeLock.acquire(dir, name);
    if ("lock" in result) return { [Symbol.dispose]: () => result.lock.release() };
    if (performance.now() - started > PATIENCE_MS) {
      throw new BrowseError(
        "timeout",
        `Process ${result.held.pid} has held the lock "${name}" in "${dir}" for too long`,
        {
          hint: "Try again; end that process if it hangs",
        },
      );
    }
    await delay(5 + Math.random() * 15);
  }
}
