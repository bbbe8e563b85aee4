/** How far the load of a tab's page has come, for whoever has waited for it in vain. */
import type { CDPSession } from "playwright";
import { within } from "../../abort.ts";
import type { DownloadRecord } from "../effect_report.ts";
import type { Tab } from "../tabs/tab.ts";
import type { Unmet } from "../unmet.ts";

/** Most loads are over by then, and are not looked at any closer. */
const SLOW_MS = 1_000;
/** From the end of a load that has become a download to the name of that. */
const NAMED_MS = 300;

const MORE_TIME = "give more time with `--timeout <ms>`";

export class LoadProgress implements Disposable {
  readonly #tab: Tab;
  readonly #to: string;
  readonly #timer: NodeJS.Timeout;
  #cdp: CDPSession | undefined;
  #bytes = 0;
  #countedFrom: number | undefined;
  #isOver = false;
  #hasBegun = false;
  #download: DownloadRecord | undefined;
  #isDownload = false;
  readonly #named = Promise.withResolvers<void>();

  constructor(tab: Tab, to: string) {
    this.#tab = tab;
    this.#to = to;
    tab.pendingNavigation.events.on("sent", this.#onSent);
    tab.events.on("download", this.#onDownload);
    this.#timer = setTimeout(() => void this.#count(), SLOW_MS);
  }

  get unmet(): Unmet {
    const { pendingNavigation, url, id } = this.#tab;
    if (this.#isDownload) {
      const now = `the server sent a file to download${this.#fileName()}, which is not complete yet`;
      const hint = `The tab stays at ${url}, and the download goes on; \`browse download <url>\` waits for all of a file`;
      return { what: `"${this.#to}"`, now, hint };
    }
    if (!this.#hasBegun) {
      const now = "no request for it was sent; a script of the page that the tab is on may never end";
      return { what: `"${this.#to}"`, now, hint: `Give the tab up with \`browse closetab ${id}\`, or ${MORE_TIME}` };
    }
    if (pendingNavigation.delay) {
      // With its time the driver gives the load up, unless the page keeps it from that.
      const now = "the server has not answered, or a script of the page never ends";
      const hint = `The tab stays at ${url}: if that page hangs, give it up with \`browse closetab ${id}\`; else ${MORE_TIME}`;
      return { what: `"${this.#to}"`, now, hint };
    }
    const what = `"${url}" to load`;
    const hint = `Go on with what is there, see what is missing with \`browse network\`, or ${MORE_TIME}`;
    if (!pendingNavigation.isArriving)
      return { what, now: "the document is there, and parts of it are still loading", hint };
    const { status } = pendingNavigation;
    const answer = status === undefined ? "the server has answered" : `the server has answered (${status})`;
    return { what, now: `${answer}, and not sent all of the document${this.#received()}`, hint };
  }

  /** No page will come of it: what is still waited for is the file. */
  async becameDownload(): Promise<void> {
    this.#isDownload = true;
    await within(NAMED_MS, this.#named.promise, undefined);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#tab.pendingNavigation.events.off("sent", this.#onSent);
    this.#tab.events.off("download", this.#onDownload);
    // With its page a session is gone too.
    this.#cdp?.detach().catch(() => undefined);
  }

  readonly #onSent = (): void => {
    this.#hasBegun = true;
  };

  readonly #onDownload = (record: DownloadRecord): void => {
    this.#download = record;
    this.#named.resolve();
  };

  #fileName(): string {
    return this.#download ? `, ${this.#download.name}` : "";
  }

  #received(): string {
    if (this.#countedFrom === undefined) return "";
    const seconds = ((performance.now() - this.#countedFrom) / 1_000).toFixed(1);
    return `; ${this.#bytes} bytes came in the last ${seconds} s`;
  }

  async #count(): Promise<void> {
    const { page } = this.#tab;
    try {
      const cdp = await page.context().newCDPSession(page);
      this.#cdp = cdp;
      cdp.on("Network.dataReceived", ({ dataLength }) => {
        this.#bytes += dataLength;
      });
      await cdp.send("Network.enable", { maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
      this.#countedFrom = performance.now();
      if (this.#isOver) await cdp.detach();
    } catch {
      // The page has gone, which whoever waits for it hears otherwise.
    }
  }
}
