/** What happens in a tab after an answer was given: the answer to the next action tells it. */

import type { Frame } from "playwright";
import type { DialogRecord, DownloadRecord, LaterReport } from "../../browser/effect_report.ts";
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { Troubles } from "./troubles.ts";

/** Of each, told one by one; a page has no end of them. */
const MAX_TOLD = 3;

const AFTERMATH: StateKey<Tab, Aftermath | undefined> = { make: () => undefined };

/** From the end of an action on. */
export function beginAftermath(tab: Tab): void {
  tab.past.take(AFTERMATH)?.stop();
  tab.past.set(AFTERMATH, new Aftermath(tab));
}

/** What came since; nothing when no action was done here before. */
export function endAftermath(tab: Tab): LaterReport {
  return tab.past.take(AFTERMATH)?.stop() ?? {};
}

class Aftermath {
  readonly #tab: Tab;
  readonly #troubles: Troubles;
  readonly #opened: string[] = [];
  /** Begun or ended since. */
  readonly #downloads = new Set<DownloadRecord>();
  readonly #dialogs = new Set<DialogRecord>();
  /** Told by the answer that found it in the way, and by the command that answers it. */
  readonly #open: DialogRecord | undefined;
  #isElsewhere = false;
  readonly #url: string;

  constructor(tab: Tab) {
    this.#tab = tab;
    this.#troubles = new Troubles(tab.capture);
    this.#url = tab.url;
    this.#open = tab.dialogs.open;
    tab.events.on("navigated", this.#onNavigated).on("dialog", this.#onDialog);
    tab.events.on("forgotten", this.#onForgotten);
    tab.events.on("opened", this.#onOpened).on("download", this.#onDownload).on("downloadEnded", this.#onDownload);
  }

  stop(): LaterReport {
    const { events, url } = this.#tab;
    events.off("navigated", this.#onNavigated).off("dialog", this.#onDialog);
    events.off("forgotten", this.#onForgotten);
    events.off("opened", this.#onOpened).off("download", this.#onDownload).off("downloadEnded", this.#onDownload);
    return {
      ...(this.#isElsewhere && url !== this.#url && { navigated: url }),
      ...(this.#dialogs.size > 0 && { dialogs: this.#dialogs.size }),
      ...(this.#opened.length > 0 && { opened: this.#opened }),
      ...(this.#downloads.size > 0 && { downloads: [...this.#downloads] }),
      ...this.#troubles.told(),
    };
  }

  readonly #onForgotten = (): void => void this.stop();

  readonly #onNavigated = (frame: Frame): void => {
    if (frame === this.#tab.page.mainFrame()) this.#isElsewhere = true;
  };

  /** Of one that waits for its answer it is heard twice. */
  readonly #onDialog = (record: DialogRecord): void => {
    if (record !== this.#open) this.#dialogs.add(record);
  };

  readonly #onOpened = ({ id }: Tab): void => {
    if (this.#opened.length < MAX_TOLD) this.#opened.push(id);
  };

  readonly #onDownload = (record: DownloadRecord): void => {
    if (this.#downloads.size < MAX_TOLD) this.#downloads.add(record);
  };
}
