/**
 * The timers that a page sets while an action is watched: what they bring is worth waiting for, and no part of the
 * protocol tells of them. For that time the page's own `setTimeout` and `setInterval` stand behind ones that note when
 * they fall due. What a page says here, or keeps from being said, decides only how long it is waited for.
 */
import type { Frame } from "playwright";
import { makeInPage, type PageObject } from "../../browser/driver/world.ts";

/** Timers noted of one action in one document. */
const MAX_TIMERS = 100;
/** How much later than it is due a timer may come. */
const MAX_LATE_MS = 20;

const WATCH = `(() => {
  const now = performance.now.bind(performance);
  const due = [];
  let watching = true;
  const watched = (native) => new Proxy(native, {
    apply(target, self, given) {
      if (watching && due.length < ${MAX_TIMERS}) {
        const ms = typeof given[1] === "number" || typeof given[1] === "string" ? Number(given[1]) : 0;
        due.push(now() + (ms > 0 ? ms : 0) + ${MAX_LATE_MS});
      }
      return Reflect.apply(target, self, given);
    },
  });
  const own = { setTimeout, setInterval };
  const ours = { setTimeout: watched(setTimeout), setInterval: watched(setInterval) };
  Object.assign(window, ours);
  return {
    left() {
      const at = now();
      let next = -1;
      for (let i = 0; i < due.length && i < ${MAX_TIMERS}; i++) {
        const ms = due[i] - at;
        if (ms > 0 && (next < 0 || ms < next)) next = ms;
      }
      return next;
    },
    end() {
      watching = false;
      for (const name of ["setTimeout", "setInterval"]) if (window[name] === ours[name]) window[name] = own[name];
    },
  };
})()`;

/** A page may have put functions of its own in the place of those that it calls: whatever they give, a number comes out. */
const LEFT = "function () { try { return +this.left(); } catch { return -1; } }";

export class PageTimers {
  readonly #object: Promise<PageObject | undefined>;

  /** Timers are noted from here on, as far as the frame's document is there. */
  constructor(frame: Frame) {
    this.#object = makeInPage(frame, WATCH);
  }

  /** Resolves when the page's timers are watched, or cannot be. */
  async begun(): Promise<void> {
    await this.#object;
  }

  /** Milliseconds until the next of them falls due; undefined when none is known to. */
  async untilNext(): Promise<number | undefined> {
    const left = await (await this.#object)?.call(LEFT);
    return typeof left === "number" && left >= 0 ? left : undefined;
  }

  end(): void {
    void this.#object.then((object) => object?.call("function () { this.end(); }").finally(() => object.release()));
  }
}
