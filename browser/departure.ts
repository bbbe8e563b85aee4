/** Whether a tab's page is about to be left, and for where. */
import type { Frame, Page, Request } from "playwright";
import { navigatedFrame } from "./navigated_frame.ts";

export class Departure {
  #request: Request | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;

  /**
   * The address whose answer the page is waiting for; what answers it replaces the page. Until then the browser passes
   * on nothing that is asked of the page (Chromium 156), though its scripts run.
   */
  get url(): string | undefined {
    return this.#request?.url();
  }

  /** The page, or a frame in it, has itself asked to be left since then (by `performance.now()`), and has not been. */
  isAskedFor(since: number): boolean {
    return this.#askedAt > since;
  }

  noteAsked(): void {
    this.#askedAt = performance.now();
  }

  follow(page: Page): void {
    this.#end();
    const isMain = (frame: Frame | undefined) => frame === page.mainFrame();
    page.on("request", (request) => {
      if (isMain(navigatedFrame(request))) this.#request = request;
    });
    page.on("requestfailed", (request) => {
      if (request === this.#request) this.#request = undefined;
    });
    page.on("framenavigated", (frame) => {
      if (isMain(frame)) this.#end();
    });
  }

  #end(): void {
    this.#request = undefined;
    this.#askedAt = Number.NEGATIVE_INFINITY;
  }
}
