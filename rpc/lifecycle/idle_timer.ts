export interface IdleOptions {
  /** 0 means never. */
  afterMs: number;
  /** True while something keeps the daemon from being idle. */
  isHeld: () => boolean;
  onIdle: () => void;
}

/** Calls `onIdle` once nothing has happened for a while. A touch costs no timer: the one running looks at the clock. */
export class IdleTimer {
  readonly #options: IdleOptions;
  #touched = performance.now();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IdleOptions) {
    this.#options = options;
    if (options.afterMs > 0) this.#arm(options.afterMs);
  }

  touch(): void {
    this.#touched = performance.now();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #arm(ms: number): void {
    this.#timer = setTimeout(() => this.#look(), ms).unref();
  }

  #look(): void {
    const { afterMs, isHeld, onIdle } = this.#options;
    if (isHeld()) this.touch();
    const leftMs = afterMs - (performance.now() - this.#touched);
    if (leftMs <= 0) onIdle();
    else this.#arm(Math.ceil(leftMs));
  }
}
