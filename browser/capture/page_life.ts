/** What becomes of a tab, told as it happens: where it goes, when it has loaded, what it is called, its workers. */
import type { Page, Worker } from "playwright";
import { redactCut, redactUrl } from "../../security/secrets/redact.ts";
import type { Tab } from "../tabs/tab.ts";
import { titleOf } from "./page_title.ts";

/** Characters; a window shows less. */
const MAX_TITLE = 200;

export class PageLife {
  readonly #tab: Tab;
  readonly #tell: (data: Record<string, unknown>) => void;
  #title = "";
  /** Whether it is being asked for, and is to be once more: a page that changes its address all the time asks one at a time. */
  #asking: "no" | "once" | "again" = "no";
  #workers = 0;

  constructor(tab: Tab, tell: (data: Record<string, unknown>) => void) {
    this.#tab = tab;
    this.#tell = tell;
    tab.events.on("navigated", (frame) => {
      const isMain = frame === tab.page.mainFrame();
      tell({ event: "navigated", url: redactUrl(frame.url()), frame: isMain ? "main" : "child" });
    });
    tab.events.on("crashed", () => tell({ event: "crashed" }));
    tab.events.on("closed", () => tell({ event: "closed" }));
    tab.events.on("moved", ({ to }) => this.follow(to));
  }

  /** Of a page that the tab has left, nothing is told any more. */
  follow(page: Page): void {
    const tell = (data: Record<string, unknown>) => {
      if (page === this.#tab.page) this.#tell(data);
    };
    page.on("load", () => {
      tell({ event: "load", url: redactUrl(page.url()) });
      void this.#lookAtTitle(page);
    });
    page.on("framenavigated", (frame) => {
      if (frame === page.mainFrame()) void this.#lookAtTitle(page);
    });
    // It may have been asked while the dialog kept the page from answering.
    page.on("dialogclosed", () => void this.#lookAtTitle(page));
    page.on("worker", (worker) => this.#started(worker, tell));
  }

  /** The browser does not tell when a title changes, so it is asked whenever it is likely to have. */
  async #lookAtTitle(page: Page): Promise<void> {
    if (this.#asking !== "no") {
      this.#asking = "again";
      return;
    }
    do {
      this.#asking = "once";
      await this.#askTitle(page);
    } while (this.#isAskedAgain());
    this.#asking = "no";
  }

  #isAskedAgain(): boolean {
    return this.#asking === "again";
  }

  async #askTitle(page: Page): Promise<void> {
    const given = await titleOf(this.#tab);
    if (given === undefined || page !== this.#tab.page) return;
    const title = redactCut(given, MAX_TITLE);
    if (title === this.#title) return;
    this.#title = title;
    this.#tell({ event: "title", title });
  }

  #started(worker: Worker, tell: (data: Record<string, unknown>) => void): void {
    const id = ++this.#workers;
    const url = redactUrl(worker.url());
    tell({ event: "workerStarted", worker: id, url });
    worker.once("close", () => tell({ event: "workerStopped", worker: id, url }));
  }
}
