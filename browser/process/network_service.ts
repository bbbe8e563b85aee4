/**
 * Chromium's network service is a process of its own, which holds the cookies of every session in its memory. When it
 * dies the browser goes on with another one, without them, and tells nobody: no event, no error, no page.
 */
import type { Browser } from "playwright";

/** What Chromium writes then. Pages have a say in what it writes, so that it is a reason to look, and proves nothing. */
const SAID = "Network service crashed";
const TYPE = "network.mojom.NetworkService";

export class NetworkService {
  readonly #browser: Browser;
  readonly #onDeath: () => void;
  #pid: number | undefined;
  #deaths = 0;

  constructor(browser: Browser, onDeath: () => void) {
    this.#browser = browser;
    this.#onDeath = onDeath;
  }

  /** A line that the browser wrote. */
  hear(line: string): void {
    if (line.includes(SAID)) void this.deaths();
  }

  /** How often it has died by now. Whatever the browser answered before this was asked, it answered with no more deaths. Never rejects. */
  async deaths(): Promise<number> {
    // A browser that does not answer has ended, and the cookies with it.
    const pid = await pidIn(this.#browser).catch(() => this.#pid);
    // The next one may not be up yet.
    const isGone = this.#pid !== undefined && pid !== this.#pid;
    this.#pid = pid;
    if (isGone) {
      this.#deaths++;
      this.#onDeath();
    }
    return this.#deaths;
  }
}

async function pidIn(browser: Browser): Promise<number | undefined> {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  await cdp.detach();
  return processInfo.find(({ type }) => type === TYPE)?.id;
}
