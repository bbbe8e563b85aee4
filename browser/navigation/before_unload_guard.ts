/** A tab that does not leave its page: the page asked to stay, and somebody had decided that it may. */
import { BrowseError } from "../../errors.ts";
import type { DialogRecord } from "../effect_report.ts";
import type { Tab } from "../tabs/tab.ts";

export class BeforeUnloadGuard implements Disposable {
  readonly #tab: Tab;
  readonly #stays = new AbortController();
  #error: BrowseError | undefined;

  constructor(tab: Tab) {
    this.#tab = tab;
    tab.events.on("dialog", this.#hear);
  }

  /** What there is to say when the page stays. */
  get error(): BrowseError | undefined {
    return this.#error;
  }

  /** Aborted once the page stays and the browser knows it: of a reload or a step in the history nothing else ever comes. */
  get signal(): AbortSignal {
    return this.#stays.signal;
  }

  [Symbol.dispose](): void {
    this.#tab.events.off("dialog", this.#hear);
    this.#tab.page.off("dialogclosed", this.#end);
  }

  readonly #hear = ({ type, outcome }: DialogRecord): void => {
    if (type !== "beforeunload" || outcome !== "dismissed") return;
    const message = `Cannot leave "${this.#tab.url}": the page asked to stay, and its dialog was dismissed`;
    const hint =
      "Run it again: a page may stay only after `browse dialog-dismiss`, which `browse dialog-accept` takes back";
    this.#error = new BrowseError("navigation_failed", message, { hint });
    this.#tab.page.once("dialogclosed", this.#end);
  };

  readonly #end = (): void => this.#stays.abort(this.#error);
}
