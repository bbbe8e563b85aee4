/** What happens in a tab after an answer was given: the answer to the next action tells it. */

import type { Frame } from "playwright";
import type { DialogRecord, DownloadRecord, LaterReport } from "../../browser/effect_report.ts";
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { Troubles } from "./troubles.ts";

/** Of each, told one by one; a page has no end of them. */
const MAX_TOLD = 3;

const AFTERMATH: StateKey<Tab, Aftermath | undefined> = { make: () => undefined };

/** From the end of an action on. `untold`: of what came before that action, when nobody has been told of it. */
export function beginAftermath(tab: Tab, untold?: LaterReport): void {
  tab.past.take(AFTERMATH)?.stop();
  tab.past.set(AFTERMATH, new Aftermath(tab, untold));
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
  readonly #untold: LaterReport;

  constructor(tab: Tab, untold: LaterReport = {}) {
    this.#tab = tab;
    this.#untold = untold;
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
    return joined(this.#untold, {
      ...(this.#isElsewhere && url !== this.#url && { navigated: url }),
      ...toldDialogs([...this.#dialogs]),
      ...(this.#opened.length > 0 && { opened: this.#opened }),
      ...(this.#downloads.size > 0 && { downloads: [...this.#downloads] }),
      ...this.#troubles.told(),
    });
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

/** What came first and what came then, in one report. */
function joined(first: LaterReport, then: LaterReport): LaterReport {
  const report: LaterReport = { ...first, ...then };
  for (const name of ["moreDialogs", "moreErrors", "moreFailed", "changed"] as const) {
    const sum = (first[name] ?? 0) + (then[name] ?? 0);
    if (sum > 0) report[name] = sum;
  }
  const errors = [...(first.errors ?? []), ...(then.errors ?? [])];
  const failed = [...(first.failed ?? []), ...(then.failed ?? [])];
  Object.assign(report, toldDialogs(bothOf(first.dialogs, then.dialogs, 2 * MAX_TOLD), report.moreDialogs));
  if (first.opened) report.opened = bothOf(first.opened, then.opened);
  if (first.downloads) report.downloads = bothOf(first.downloads, then.downloads);
  if (first.errors) report.errors = errors.slice(0, MAX_TOLD);
  if (first.failed) report.failed = failed.slice(0, MAX_TOLD);
  if (errors.length > MAX_TOLD) report.moreErrors = (report.moreErrors ?? 0) + errors.length - MAX_TOLD;
  if (failed.length > MAX_TOLD) report.moreFailed = (report.moreFailed ?? 0) + failed.length - MAX_TOLD;
  return report;
}

/** `more`: of those that are not among them. */
function toldDialogs(dialogs: DialogRecord[], more = 0): Pick<LaterReport, "dialogs" | "moreDialogs"> {
  const left = Math.max(dialogs.length - MAX_TOLD, 0) + more;
  return {
    ...(dialogs.length > 0 && { dialogs: dialogs.slice(0, MAX_TOLD) }),
    ...(left > 0 && { moreDialogs: left }),
  };
}

/** A download that began in the first part may have ended in the second. */
function bothOf<Item>(first: readonly Item[] = [], then: readonly Item[] = [], most = MAX_TOLD): Item[] {
  return [...new Set([...first, ...then])].slice(0, most);
}
