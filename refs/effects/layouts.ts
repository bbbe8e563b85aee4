/** Whether a page has been laid out anew: where it has not, every box is as it was, and no observer of boxes has anything to tell. */
import { directly, type Sending } from "../../browser/driver/direct_session.ts";
import type { Tab } from "../../browser/tabs/tab.ts";

export class Layouts {
  readonly #tab: Tab;
  readonly #before: Promise<number | undefined>;
  #isUpToDate = false;

  /** From here on, when `watching`. */
  constructor(tab: Tab, { watching }: { watching: boolean }) {
    this.#tab = tab;
    this.#before = watching ? this.#asked(beginToCount) : Promise.resolve(undefined);
  }

  /** Has the page laid out that is due to be. */
  async update(): Promise<void> {
    this.#isUpToDate = (await this.#asked(layOut)) === true;
  }

  /** By the last update; true where that is not known. */
  async haveChanged(): Promise<boolean> {
    const [before, now] = await Promise.all([this.#before, this.#asked(countLayouts)]);
    return !this.#isUpToDate || before === undefined || before !== now;
  }

  /** Undefined where the page does not say. */
  async #asked<Answer>(what: (cdp: Sending) => Promise<Answer>): Promise<Answer | undefined> {
    return await this.#tab
      .cdp()
      .then((cdp) => what(directly(cdp)))
      .catch(() => undefined);
  }
}

async function layOut(cdp: Sending): Promise<true> {
  await cdp.send("Page.getLayoutMetrics");
  return true;
}

async function beginToCount(cdp: Sending): Promise<number | undefined> {
  const [, count] = await Promise.all([cdp.send("Performance.enable"), countLayouts(cdp)]);
  return count;
}

async function countLayouts(cdp: Sending): Promise<number | undefined> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "LayoutCount")?.value;
}
