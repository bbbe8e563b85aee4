/** One of many processes that want the same lock: takes part in each round its parent starts. */
import { LifeLock } from "../../../../security/process/life_lock.ts";

let lock: LifeLock | undefined;

process.on("message", (message: { acquire: string } | { release: true }) => {
  if ("release" in message) {
    lock?.release();
    lock = undefined;
    process.send?.({ released: true });
    return;
  }
  LifeLock.acquire(message.acquire).then(
    (result) => {
      if ("lock" in result) lock = result.lock;
      process.send?.("lock" in result ? { won: true } : { won: false, held: result.held.pid });
    },
    (error: unknown) => process.send?.({ won: false, error: String(error) }),
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ ready: true });
