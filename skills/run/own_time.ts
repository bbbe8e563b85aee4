/** The time of a job: what a person takes to answer is none of it. */
export class OwnTime {
  #late = new AbortController();
  #isOn = false;
  #holds = 0;
  #leftMs = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Begins anew. Gives what aborts when `ms` are over. */
  begin(ms: number): AbortSignal {
    this.#late = new AbortController();
    this.#leftMs = ms;
    this.#isOn = true;
    this.#go();
    return this.#late.signal;
  }

  end(): void {
    this.#isOn = false;
    clearTimeout(this.#timer);
  }

  /** Until all that hold it are disposed, no time passes. */
  hold(): Disposable {
    if (this.#holds++ === 0 && this.#isOn) {
      clearTimeout(this.#timer);
      this.#leftMs -= performance.now() - this.#since;
    }
    return {
      [Symbol.dispose]: () => {
        this.#holds--;
        this.#go();
      },
    };
  }

  #go(): void {
    if (!this.#isOn || this.#holds > 0) return;
    clearTimeout(this.#timer);
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#late.abort(), Math.max(0, this.#leftMs));
  }
}
