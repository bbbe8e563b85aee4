/** So many at one go, and more as time passes. */
export class Allowance {
  readonly #most: number;
  readonly #perMs: number;
  #left: number;
  #at = performance.now();

  constructor({ most, perMinute }: { most: number; perMinute: number }) {
    this.#most = most;
    this.#left = most;
    this.#perMs = perMinute / 60_000;
  }

  /** Takes `amount`; false, and nothing is taken, when there is not so much left. */
  take(amount = 1): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#most, this.#left + (now - this.#at) * this.#perMs);
    this.#at = now;
    if (this.#left < amount) return false;
    this.#left -= amount;
    return true;
  }
}
