import { abortable } from "../../abort.ts";

/** A first-come, first-served lock. Work on one tab waits here for the work before it. */
export class TabLock {
  #tail: Promise<void> = Promise.resolve();

  /** Resolves with the function that lets the next one in; rejects, leaving the queue intact, when `signal` aborts. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    return await this.queue().turn(signal);
  }

  /** A place behind all who are there now, for work that has something to wait for before its turn. */
  queue(): PlaceInQueue {
    const ahead = this.#tail;
    const { done, release } = hold();
    this.#tail = ahead.then(() => done);
    return new PlaceInQueue(ahead, release);
  }
}

export class PlaceInQueue {
  readonly #ahead: Promise<void>;
  readonly #release: () => void;
  #isTaken = false;

  constructor(ahead: Promise<void>, release: () => void) {
    this.#ahead = ahead;
    this.#release = release;
  }

  /** As `TabLock.acquire`. */
  async turn(signal: AbortSignal): Promise<() => void> {
    this.#isTaken = true;
    return await releaseAfter(this.#ahead, this.#release, signal);
  }

  /** Lets those behind pass, unless its turn has been asked for: whoever did lets them in. */
  leave(): void {
    if (!this.#isTaken) this.#release();
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
    await abortable(ahead, signal);
  } catch (error) {
    release();
    throw error;
  }
  return release;
}
