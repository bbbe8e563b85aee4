interface PacedOptions<T> {
  perTurn: number;
  take: (value: T) => void;
  /** Something waits for another turn, or nothing does any more: the time to stop reading, and to read on. */
  onBehind: (isBehind: boolean) => void;
}

/**
 * Hands on what comes, in order, only so much in one turn of the event loop. Who sends thousands of calls at once would
 * have them all begun before the first is answered, and the garbage collector would carry every one of them along.
 */
export class Paced<T> {
  readonly #options: PacedOptions<T>;
  #waiting: T[] = [];
  /** Of those that wait, how many have been taken. */
  #head = 0;
  /** Taken in this turn. */
  #taken = 0;

  constructor(options: PacedOptions<T>) {
    this.#options = options;
  }

  push(value: T): void {
    if (this.#taken < this.#options.perTurn) this.#take(value);
    else if (this.#waiting.push(value) === 1) this.#options.onBehind(true);
  }

  #take(value: T): void {
    if (this.#taken++ === 0) setImmediate(this.#nextTurn);
    this.#options.take(value);
  }

  readonly #nextTurn = (): void => {
    this.#taken = 0;
    if (this.#waiting.length === 0) return;
    while (this.#head < this.#waiting.length && this.#taken < this.#options.perTurn) {
      this.#take(this.#waiting[this.#head++] as T);
    }
    if (this.#head < this.#waiting.length) return;
    this.#waiting = [];
    this.#head = 0;
    this.#options.onBehind(false);
  };
}
