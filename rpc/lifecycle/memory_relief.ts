/**
 * Gives memory back after a storm. What passes through in a storm leaves the heap many times larger than what is kept
 * of it, and V8 holds on to the room for as long as nothing else asks for it (figures: docs/design/streams.md).
 */

/** Fewer events do not make a storm. */
const STORM_EVENTS = 5_000;
/** Without an event, so without a call too: a collection holds everything up for a moment. */
const QUIET_MS = 1_000;

export class MemoryRelief {
  #events = 0;
  #eventsSeen = 0;
  #timer: NodeJS.Timeout | undefined;

  /** An event has passed through. */
  note(): void {
    if (++this.#events >= STORM_EVENTS) this.#timer ??= setInterval(() => void this.#look(), QUIET_MS).unref();
  }

  async #look(): Promise<void> {
    const isQuiet = this.#events === this.#eventsSeen;
    this.#eventsSeen = this.#events;
    if (!isQuiet) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#events = 0;
    await collect();
  }
}

async function collect(): Promise<void> {
  const { Session } = await import("node:inspector/promises");
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}
