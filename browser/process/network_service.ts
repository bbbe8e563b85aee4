/**
 * Chromium's network service is a process of its own, which holds the cookies of every session in its memory. When it
 * dies the browser goes on with another one, without them, and tells nobody: no event, no error, no page.
 */
import { setTimeout } from "node:timers/promises";
import type { Browser } from "playwright";
import { inspectProcess, type ProcessIdentity } from "../../security/process/process_identity.ts";

/** What Chromium writes then. Pages have a say in what it writes, so that it is a reason to look, and proves nothing. */
const SAID = "Network service crashed";
const TYPE = "network.mojom.NetworkService";
/** The browser starts the next one by itself, at once. */
const NEXT_MS = 3_000;
const LOOK_EVERY_MS = 20;

export class NetworkService {
  readonly #browser: Browser;
  readonly #onDeath: () => void;
  /** Undefined while none runs. */
  #process: ProcessIdentity | undefined;
  #deaths = 0;
  #looking: Promise<unknown> = Promise.resolve();

  constructor(browser: Browser, onDeath: () => void) {
    this.#browser = browser;
    this.#onDeath = onDeath;
  }

  /** A line that the browser wrote. */
  hear(line: string): void {
    // A browser that does not answer has ended, and the cookies with it.
    if (line.includes(SAID)) this.deaths().catch(() => undefined);
  }

  /**
   * How often it has died by now. Whatever the browser answered before this was asked, it answered with no more deaths,
   * and what it is told afterwards is told to one that runs. Rejects when there is none, or the browser does not answer.
   */
  deaths(): Promise<number> {
    // One after the other, or an old answer would be taken for news.
    const looked = this.#looking.then(() => this.#look());
    this.#looking = looked.catch(() => undefined);
    return looked;
  }

  async #look(): Promise<number> {
    const found = await runningIn(this.#browser);
    if (this.#process !== undefined && !isSame(this.#process, found)) {
      this.#deaths++;
      this.#onDeath();
    }
    this.#process = found;
    // The first one, too, may be on its way up. One that was never seen alive would die unnoticed.
    if (found === undefined) this.#process = await this.#next();
    return this.#deaths;
  }

  /** Cookies that are given to the browser before it is up are gone without a word. */
  async #next(): Promise<ProcessIdentity> {
    const deadline = performance.now() + NEXT_MS;
    while (performance.now() < deadline) {
      await setTimeout(LOOK_EVERY_MS);
      const found = await runningIn(this.#browser);
      if (found !== undefined) return found;
    }
    throw new Error("Chromium's network process is not up");
  }
}

/** The browser names a dead one for some milliseconds more. */
async function runningIn(browser: Browser): Promise<ProcessIdentity | undefined> {
  const pid = await pidIn(browser);
  const details = pid === undefined ? undefined : inspectProcess(pid);
  return details === undefined || details.isZombie ? undefined : details;
}

function isSame(one: ProcessIdentity, other: ProcessIdentity | undefined): boolean {
  return one.pid === other?.pid && one.startTime === other.startTime;
}

async function pidIn(browser: Browser): Promise<number | undefined> {
  const cdp = await browser.newBrowserCDPSession();
  const { processInfo } = await cdp.send("SystemInfo.getProcessInfo");
  await cdp.detach();
  return processInfo.find(({ type }) => type === TYPE)?.id;
}
