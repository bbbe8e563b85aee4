/**
 * Slows a page in a storm down at its source, until it says no more than the browser and the daemon can pass on beside
 * what others want of them. Nothing of what it says is lost (figures: docs/design/streams.md).
 */

/** Events that a page may tell in a second, for as long as it likes: a heavy page makes some thousand when it loads. */
const PER_SECOND = 2_000;
/** Beyond that, at one go. */
const BURST = 6_000;
const LOOK_EVERY_MS = 250;
/** How many times slower its scripts run, at least and at most. */
const MIN_RATE = 4;
const MAX_RATE = 64;
/** A page that says less than this share of what it may is let go faster. */
const CALM_SHARE = 0.25;
/** A script that does not even pause to be slowed down is ended when it has told so much more. */
const MAX_UNHEARD = 150_000;

export interface StormBrakeOptions {
  /** Runs the page's scripts so many times slower; resolves when the page has heard. */
  slow: (rate: number) => Promise<unknown>;
  /** Ends the script that runs in the page now. */
  endScript: () => Promise<unknown>;
  /** What becomes of the page, for those who look at it. */
  tell: (event: StormEvent) => void;
}

export type StormEvent =
  | { event: "slowed"; perSecond: number }
  | { event: "unslowed" }
  | { event: "scriptEnded"; count: number };

export class StormBrake implements Disposable {
  readonly #options: StormBrakeOptions;
  /** What it has said beyond its budget. */
  #level = 0;
  #levelAt = performance.now();
  /** Since when it has said more than its budget, if not much. */
  #risingSince = 0;
  #rate = 1;
  /** Since the last look. */
  #said = 0;
  #lookedAt = 0;
  /** Said since the page was asked to slow down, which it has not heard yet. */
  #unheard: number | undefined;
  #isEnding = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StormBrakeOptions) {
    this.#options = options;
  }

  /** The page has said something. Quick: it is called for every event. */
  note(weight: number): void {
    this.#said += weight;
    if (this.#timer) return;
    const now = performance.now();
    const left = this.#level - ((now - this.#levelAt) / 1_000) * PER_SECOND;
    if (left <= 0) this.#risingSince = now;
    this.#level = Math.max(0, left) + weight;
    this.#levelAt = now;
    if (this.#level > BURST) this.#begin(now);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #begin(now: number): void {
    this.#lookedAt = now;
    this.#said = 0;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    this.#options.tell({ event: "slowed", perSecond: PER_SECOND });
    // What comes until it has heard is the more the faster it is: that is no time to try out what would do.
    const perSecond = PER_SECOND + (BURST / Math.max(now - this.#risingSince, 1)) * 1_000;
    this.#slow(clamp(perSecond / PER_SECOND));
  }

  #look(): void {
    const now = performance.now();
    const perSecond = this.#said / ((now - this.#lookedAt) / 1_000);
    if (this.#unheard !== undefined) this.#unheard += this.#said;
    this.#lookedAt = now;
    this.#said = 0;
    if (this.#unheard !== undefined) this.#lookUnheard(this.#unheard);
    else if (perSecond > PER_SECOND) this.#slow(clamp((this.#rate * perSecond) / PER_SECOND));
    else if (perSecond < PER_SECOND * CALM_SHARE) this.#slow(Math.max(this.#rate / 2, 1));
  }

  #lookUnheard(count: number): void {
    if (count < MAX_UNHEARD || this.#isEnding) return;
    this.#isEnding = true;
    void this.#endScript(Math.round(count));
  }

  async #endScript(count: number): Promise<void> {
    try {
      await this.#options.endScript();
      this.#options.tell({ event: "scriptEnded", count });
    } catch {
      // The page has gone.
    } finally {
      this.#isEnding = false;
      if (this.#unheard !== undefined) this.#unheard = 0;
    }
  }

  #slow(rate: number): void {
    if (rate === this.#rate) return;
    this.#rate = rate;
    this.#unheard = 0;
    const heard = () => {
      this.#unheard = undefined;
      if (rate === 1) this.#letGo();
    };
    // A page that has gone says nothing more.
    this.#options.slow(rate).then(heard, heard);
  }

  #letGo(): void {
    this[Symbol.dispose]();
    this.#level = 0;
    this.#levelAt = performance.now();
    this.#options.tell({ event: "unslowed" });
  }
}

function clamp(rate: number): number {
  return Math.round(Math.min(Math.max(rate, MIN_RATE), MAX_RATE));
}

/** For those who read what the page says; undefined for what need not be said. */
export function stormText(event: StormEvent): string | undefined {
  if (event.event === "slowed") {
    return `browse runs this page's scripts more slowly for as long as they make more than ${event.perSecond} events a second (lines, requests, navigations, frames)`;
  }
  if (event.event === "scriptEnded") {
    return `browse has ended a script of this page, which made ${event.count} events without a pause`;
  }
  return undefined;
}
