/** Steps through the history that a frame of the page takes: the page stays, so that nothing of its own tells that they are over. */
import type { Frame, Request } from "playwright";
import { cutUrl } from "../../security/secrets/redact.ts";
import { navigatedFrame } from "../driver/navigated_frame.ts";
import type { Tab } from "../tabs/tab.ts";
import type { Unmet } from "../unmet.ts";

export class FrameStep implements Disposable {
  readonly #tab: Tab;
  readonly #index: number;
  readonly #navigations: number;
  readonly #taken = new AbortController();
  /** The last one that is to bring a frame another document. */
  #request: Request | undefined;

  /** `index`: of the entry of the history that the step leads to. */
  constructor(tab: Tab, index: number) {
    this.#tab = tab;
    this.#index = index;
    this.#navigations = this.#ofPage;
    tab.events.on("navigated", this.#onNavigated);
    tab.page.on("request", this.#onRequest);
  }

  /** Aborts when the step has been taken. */
  get signal(): AbortSignal {
    return this.#taken.signal;
  }

  /** The history is where the step leads, and the page where it was. */
  get isTaken(): boolean {
    return this.#taken.signal.aborted && this.#ofPage === this.#navigations;
  }

  /** What is waited for, when that is a frame's server. */
  get unmet(): Unmet | undefined {
    const { pendingNavigation, url, id } = this.#tab;
    if (!this.#request || pendingNavigation.url !== undefined || this.#ofPage > this.#navigations) return undefined;
    return {
      what: `a frame to show "${cutUrl(this.#request.url())}"`,
      now: "its server has not answered",
      hint: `The page stays at ${url}; break the frame's load off with \`browse stop-loading --tab ${id}\`, or give more time with \`--timeout <ms>\``,
    };
  }

  [Symbol.dispose](): void {
    this.#tab.events.off("navigated", this.#onNavigated);
    this.#tab.page.off("request", this.#onRequest);
  }

  get #ofPage(): number {
    return this.#tab.navigationsOf(this.#tab.page.mainFrame());
  }

  readonly #onRequest = (request: Request): void => {
    const frame = navigatedFrame(request);
    if (frame && frame !== this.#tab.page.mainFrame()) this.#request = request;
  };

  readonly #onNavigated = (frame: Frame): void => {
    if (frame !== this.#tab.page.mainFrame()) void this.#look();
  };

  /** Frames move by themselves, too: the history alone tells whether this was the step. */
  async #look(): Promise<void> {
    try {
      const { currentIndex } = await (await this.#tab.cdp()).send("Page.getNavigationHistory");
      if (currentIndex === this.#index) this.#taken.abort();
    } catch {
      // The tab has gone, which whoever takes the step hears otherwise.
    }
  }
}
