/** The newest `capacity` values, each with a sequence number that counts from 1 and is never reused. O(1) to push. */
export class Ring<T> {
  readonly capacity: number;
  readonly #values: T[] = [];
  #total = 0;
  #cleared = 0;

  constructor(capacity: number) {
    if (!Number.isSafeInteger(capacity) || capacity < 1)
      throw new RangeError(`Capacity must be at least 1, not ${capacity}`);
    this.capacity = capacity;
  }

  /** How many values were ever pushed: the sequence number of the newest. */
  get total(): number {
    return this.#total;
  }

  /** Sequence number of the oldest value still here; `total + 1` when there is none. */
  get first(): number {
    return Math.max(this.#total - this.capacity, this.#cleared) + 1;
  }

  push(value: T): number {
    this.#values[this.#total % this.capacity] = value;
    return ++this.#total;
  }

  /** The value of that number, while it is here. */
  at(seq: number): T | undefined {
    return seq >= this.first && seq <= this.#total ? this.#values[(seq - 1) % this.capacity] : undefined;
  }

  /** Everything after `seq` that is still here, oldest first. */
  since(seq: number): { seq: number; value: T }[] {
    const entries: { seq: number; value: T }[] = [];
    for (let next = Math.max(seq + 1, this.first); next <= this.#total; next++) {
      const value = this.#values[(next - 1) % this.capacity] as T;
      entries.push({ seq: next, value });
    }
    return entries;
  }

  /** The newest `count`, oldest first. */
  last(count: number): { seq: number; value: T }[] {
    return this.since(this.#total - count);
  }

  /** Forgets the values; numbering and total go on. */
  clear(): void {
    this.#cleared = this.#total;
    this.#values.length = 0;
  }
}
