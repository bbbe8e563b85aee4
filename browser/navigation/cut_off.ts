/** A document that breaks off while it is read: the driver waits for the end of it, which never comes. */
import { BrowseError } from "../../errors.ts";
import { loadFault, networkFault } from "../driver/network_errors.ts";
import type { Tab } from "../tabs/tab.ts";
import type { FailedLoad } from "./pending_navigation.ts";

export class CutOff implements Disposable {
  readonly #tab: Tab;
  readonly #ends = new AbortController();
  #error: BrowseError | undefined;

  constructor(tab: Tab) {
    this.#tab = tab;
    tab.pendingNavigation.events.on("cutOff", this.#hear);
  }

  get error(): BrowseError | undefined {
    return this.#error;
  }

  /** Aborted when it breaks off. */
  get signal(): AbortSignal {
    return this.#ends.signal;
  }

  [Symbol.dispose](): void {
    this.#tab.pendingNavigation.events.off("cutOff", this.#hear);
  }

  readonly #hear = (load: FailedLoad): void => {
    this.#error = cutOffError(load);
    this.#ends.abort(this.#error);
  };
}

export function cutOffError({ url, network, status }: FailedLoad): BrowseError {
  const message = `Cannot load all of "${url}": ${networkFault(network)}`;
  return new BrowseError("navigation_failed", message, {
    hint: "Read what has come of it with `browse text`, or load it again with `browse reload`",
    details: { network, ...(status !== undefined && { status }), partial: true },
  });
}

export function unloadedError(load: FailedLoad): BrowseError {
  return new BrowseError("navigation_failed", `Cannot load "${load.url}": ${loadFault(load)}`, {
    details: { network: load.network },
  });
}
