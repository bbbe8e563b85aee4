export interface RingLimits<T> {
  /** Of all values together, as they were when they came. The newest is kept whatever its size. */
  maxSize: number;
  sizeOf: (value: T) => number;
}

/** The newest `capacity` values, each with a sequence number that counts from 1 and is never reused. O(1) to push. */
export class Ring<T> {
  readonly capacity: number;
  readonly #limits: RingLimits<T> | undefined;
  readonly #values: (T | undefined)[] = [];
  readonly #sizes: number[] = [];
  #total = 0;
  /** Number of the newest value that has gone. */
  #gone = 0;
  #size = 0;

  constructor(capacity: number, limits?: RingLimits<T>) {
    if (!Number.isSafeInteger(capacity) || capacity < 1)
      throw new RangeError(`Capacity must be at least 1, not ${capacity}`);
    this.capacity = capacity;
    this.#limits = limits;
  }

  /** How many values were ever pushed: the sequence number of the newest. */
  get total(): number {
    return this.#total;
  }

  /** Sequence number of the oldest value still here; `total + 1` when there is none. */
  get first(): number {
    return this.#gone + 1;
  }

  push(value: T): number {
    if (this.#total - this.#gone === this.capacity) this.#dropOldest();
    const index = this.#total++ % this.capacity;
    this.#values[index] = value;
    if (this.#limits) this.#weigh(index, this.#limits.sizeOf(value), this.#limits.maxSize);
    return this.#total;
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
    this.#gone = this.#total;
    this.#size = 0;
    this.#values.length = 0;
    this.#sizes.length = 0;
  }

  #weigh(index: number, size: number, maxSize: number): void {
    this.#sizes[index] = size;
    this.#size += size;
    while (this.#size > maxSize && this.#total - this.#gone > 1) this.#dropOldest();
  }

  #dropOldest(): void {
    const index = this.#gone++ % this.capacity;
    this.#size -= this.#sizes[index] ?? 0;
    this.#values[index] = undefined;
  }
}
