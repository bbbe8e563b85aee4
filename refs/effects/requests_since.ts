/** What a tab's pages have asked for since a moment, and has not been answered: the state of what waits for it may be another soon. */
import type { NetworkEntry } from "../../browser/capture/network_capture.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { isHeldOpen } from "./held_open.ts";

/** Requests whose answer scripts make something of. */
const SCRIPTED = new Set(["xhr", "fetch", "script", "document"]);

export class RequestsSince {
  readonly #tab: Tab;
  readonly #from: number;

  constructor(tab: Tab) {
    this.#tab = tab;
    this.#from = tab.capture.network.total;
  }

  /** Those without an answer yet, the oldest first; none that pages hold open by habit. */
  get unanswered(): NetworkEntry[] {
    const { network } = this.#tab.capture;
    const begun = network.since(this.#from).map(({ value }) => value);
    return begun.filter((entry) => isUnanswered(entry) && !isHeldOpen(entry, network, Date.parse(entry.time)));
  }
}

function isUnanswered({ resourceType, status, failure }: NetworkEntry): boolean {
  return SCRIPTED.has(resourceType) && status === undefined && failure === undefined;
}
