/** A share of the daemon's time, so that what one page makes it do leaves room for all others. */

/** Of each second, in milliseconds. */
const PER_SECOND_MS = 300;
/** At one go, after a quiet while. */
const BURST_MS = 600;

export class TimeBudget {
  #leftMs = BURST_MS;
  #at = performance.now();

  /** Is there any left? */
  get isLeft(): boolean {
    const now = performance.now();
    this.#leftMs = Math.min(BURST_MS, this.#leftMs + ((now - this.#at) / 1_000) * PER_SECOND_MS);
    this.#at = now;
    return this.#leftMs > 0;
  }

  /** Does the work, whose time counts. */
  spend(work: () => void): void {
    const started = performance.now();
    work();
    this.#leftMs -= performance.now() - started;
  }
}
