/** What a tab was kept from loading while somebody works on it. */
import { cutUrl } from "../../security/secrets/redact.ts";
import type { Tab } from "../tabs/tab.ts";

/** A load whose page goes where it may not may still come to its end by itself. */
const END_MS = 500;

export class RefusedLoads implements Disposable {
  readonly #tab: Tab;
  readonly #ended = new AbortController();
  readonly #before: number;
  #timer: NodeJS.Timeout | undefined;
  readonly #refused: RefusedLoad[] = [];

  constructor(tab: Tab) {
    this.#tab = tab;
    this.#before = this.#arrivals;
    tab.events.on("refused", this.#hear);
  }

  /** Addresses, in the order in which they were asked for. */
  get urls(): string[] {
    return this.#refused.map(({ url }) => cutUrl(url));
  }

  /** Why the tab itself did not get where it was going. */
  get ofTab(): Error | undefined {
    return this.#refused.find(({ isMain }) => isMain)?.error;
  }

  /** Aborts soon after a page that has come was kept from going elsewhere: the browser may never tell that it has loaded. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Why the tab was taken away from what it had begun to load. Waits for what is still being looked at. */
  async leaving(): Promise<Error | undefined> {
    while (this.#tab.checks.size > 0) await Promise.all(this.#tab.checks);
    return this.#refused.find(({ isLeft }) => isLeft)?.error;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#tab.events.off("refused", this.#hear);
  }

  get #arrivals(): number {
    return this.#tab.navigationsOf(this.#tab.page.mainFrame());
  }

  readonly #hear = (load: RefusedLoad): void => {
    this.#refused.push(load);
    // What was refused before is of the page that is being left.
    if (!load.isMain || this.#arrivals === this.#before) return;
    this.#timer ??= setTimeout(() => this.#ended.abort(), END_MS);
  };
}

/** A load that the rules of a tab, or those for everyone, do not allow. */
export interface RefusedLoad {
  url: string;
  error: Error;
  /** It was the tab's own document, not a part of one. */
  isMain: boolean;
  /** It had been loaded before it was known for what it is, and the tab, or the frame, was taken to a blank page. */
  isLeft: boolean;
}
