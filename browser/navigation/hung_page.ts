/** A page that is to be left and answers nothing, since a script of it never ends: it would keep its tab for ever. */
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession } from "playwright";
import { BrowseError } from "../../errors.ts";
import type { Tab } from "../tabs/tab.ts";
import { type History, historyBy } from "./replay_history.ts";

/** No page takes so long for one task that is to be left alone. Of `goto`'s 15 s, enough is left for the next one. */
const HUNG_MS = 8_000;
const AGAIN_MS = 250;
/** A question that was asked later may yet be answered. */
const SILENT_MS = 1_000;

/** The tab can go on in a new page, if whoever holds it brings it there. */
export class PageHung extends BrowseError {
  /** Before it was to be left: the browser tells it no more. */
  readonly history: History;

  constructor({ id }: Tab, history: History) {
    super("timeout", `The page of ${id} has not answered for ${HUNG_MS / 1_000} s: a script of it never ends`, {
      hint: `Give up on it with \`browse closetab ${id}\``,
    });
    this.history = history;
  }
}

/** Asks the page something before it is left; aborts `signal` with `PageHung` when there is still no answer then. */
export class HungPage implements Disposable {
  readonly #over = new AbortController();
  readonly #given = new AbortController();
  /** When the question was asked that has no answer; by `performance.now()`. */
  #askedAt: number | undefined;

  private constructor(tab: Tab, cdp: CDPSession) {
    const history = historyBy(cdp, tab).catch(() => ({ urls: [tab.url], index: 0 }));
    const heard = this.#isHeard(tab, cdp);
    const late = delay(HUNG_MS, false, { signal: this.#over.signal }).catch(() => true);
    void Promise.race([heard, late]).then(async (isWell) => {
      // Behind a dialog every page is silent. One that answers, and is not left all the same, does not hang.
      if (!isWell && this.#isSilent && !tab.dialogs.openError("")) this.#given.abort(new PageHung(tab, await history));
    });
  }

  static async watch(tab: Tab): Promise<HungPage> {
    return new HungPage(tab, await tab.cdp());
  }

  get signal(): AbortSignal {
    return this.#given.signal;
  }

  /** Why the page was given up; undefined when it was not. */
  get error(): PageHung | undefined {
    return this.#given.signal.reason;
  }

  /**
   * It has answered, and what is asked for in its place has been sent: by then it has been asked whether it may be left. The
   * browser calls a question off when an answer to the navigation has come, whether its page is there or not.
   */
  async #isHeard(tab: Tab, cdp: CDPSession): Promise<boolean> {
    const frame = tab.page.mainFrame();
    const before = tab.navigationsOf(frame);
    let isSent = false;
    const sent = once(tab.pendingNavigation.events, "sent", { signal: this.#over.signal }).then(
      () => {
        isSent = true;
      },
      () => undefined,
    );
    let hasAnswered = false;
    while (!this.#over.signal.aborted && tab.navigationsOf(frame) === before && !(hasAnswered && isSent)) {
      this.#askedAt = performance.now();
      const asked = cdp.send("Runtime.evaluate", { expression: "0" }).then(
        () => {
          hasAnswered = true;
          this.#askedAt = undefined;
        },
        () => {
          this.#askedAt = undefined;
        },
      );
      await (hasAnswered ? Promise.race([asked, sent]) : asked);
      await delay(AGAIN_MS);
    }
    return true;
  }

  get #isSilent(): boolean {
    return this.#askedAt !== undefined && performance.now() - this.#askedAt > SILENT_MS;
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }
}
