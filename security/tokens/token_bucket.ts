/** A rate: so many at once, refilled steadily. */

interface BucketOptions {
  perSecond: number;
  /** How many at once. */
  capacity: number;
  /** How many may be promised ahead of time by `reserve`. Default 0. */
  maxOwed?: number;
}

export class TokenBucket {
  readonly #options: Required<BucketOptions>;
  /** Below 0: what has been promised. */
  #level: number;
  #filledAt = performance.now();

  constructor(options: BucketOptions) {
    this.#options = { maxOwed: 0, ...options };
    this.#level = options.capacity;
  }

  /** Takes one; false when there is none. */
  take(): boolean {
    this.#refill();
    if (this.#level < 1) return false;
    this.#level--;
    return true;
  }

  /** Milliseconds until one that is promised now may be used; undefined when too many are promised already. */
  reserve(): number | undefined {
    this.#refill();
    const { perSecond, maxOwed } = this.#options;
    if (this.#level - 1 < -maxOwed) return undefined;
    this.#level--;
    return Math.max(0, (-this.#level / perSecond) * 1_000);
  }

  #refill(): void {
    const now = performance.now();
    const { perSecond, capacity } = this.#options;
    this.#level = Math.min(capacity, this.#level + ((now - this.#filledAt) / 1_000) * perSecond);
    this.#filledAt = now;
  }
}
