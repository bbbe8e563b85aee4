/** Where a tab's page is about to go, and how the load went that it was last left by. */
import { EventEmitter, once } from "node:events";
import type { Frame, Page, Request } from "playwright";
import { navigatedFrame } from "../driver/navigated_frame.ts";
import { methodOf } from "../driver/told_request.ts";
import { isLoadedUrl } from "../loaded_url.ts";
import type { Unmet } from "../unmet.ts";

/** A load of the tab's own document that went wrong. */
export interface FailedLoad {
  url: string;
  /** Chromium's name for the fault, without `net::`. */
  network: string;
  /** Of the server's answer, when there was one. */
  status?: number;
  /** By `performance.now()`. */
  at: number;
}

interface DepartureEvents {
  /** The tab's document was asked for, or another address on the way to it. */
  sent: [];
  /** The page is not on its way any more: it is there, or stays. */
  over: [];
  /** What is shown is a part of the document: the rest will not come. */
  cutOff: [FailedLoad];
}

export class PendingNavigation {
  readonly events = new EventEmitter<DepartureEvents>();
  #request: Request | undefined;
  #isAnswered = false;
  #status: number | undefined;
  #method = "GET";
  #isSent = false;
  #shownUrl = "";
  #askedAt = Number.NEGATIVE_INFINITY;
  #arriving: Request | undefined;
  #cut: FailedLoad | undefined;
  #failed: FailedLoad | undefined;
  #unshown: FailedLoad | undefined;

  constructor() {
    this.events.setMaxListeners(0);
  }

  /**
   * The address whose answer the page is waiting for; what answers it replaces the page. Until then the browser passes
   * on nothing that is asked of the page (Chromium 156), though its scripts run.
   */
  get url(): string | undefined {
    return this.#request?.url();
  }

  /** Of the last request for the tab's document: `GET`, or what a form was sent with. */
  get method(): string {
    return this.#method;
  }

  /** Of the last answer to a request for the tab's document. */
  get status(): number | undefined {
    return this.#status;
  }

  /** The page is the answer to a form that was sent, and to load it again sends that again. */
  get isSent(): boolean {
    return this.#isSent;
  }

  /** The document is shown as far as it has come, and more of it is expected. */
  get isArriving(): boolean {
    return this.#arriving !== undefined;
  }

  /** Why the document that is shown is not whole. */
  get cut(): FailedLoad | undefined {
    return this.#cut;
  }

  /** The last load that failed before there was anything to show. */
  get failed(): FailedLoad | undefined {
    return this.#failed;
  }

  /** The load that the browser shows a page of its own in the place of. */
  get unshown(): FailedLoad | undefined {
    return this.#unshown;
  }

  /** Why the page answers nothing. A page whose script never ends holds the browser up as a silent server does. */
  get delay(): Unmet | undefined {
    if (this.url === undefined) return undefined;
    return {
      what: "the page",
      now: `${this.url} is still loading: the server has not answered yet, or a script of the page never ends`,
      hint: "Try again later, break the load off with `browse stop-loading` or `browse goto`, or give up a page that hangs with `browse closetab`",
    };
  }

  /** The page, or a frame in it, has itself asked to be left since then (by `performance.now()`), and has not been. */
  isAskedFor(since: number): boolean {
    return this.#askedAt > since;
  }

  /** Resolves when the page answers, or another does that has taken its place; at once when it is not on its way anywhere. */
  async untilOver(signal: AbortSignal): Promise<void> {
    while (this.url !== undefined) await once(this.events, "over", { signal });
  }

  noteAsked(): void {
    this.#askedAt = performance.now();
  }

  /** The document was asked for before the page was known. */
  noteSent(request: Request): void {
    this.#begin(request);
  }

  /** What is shown is the browser's own page for this load, which failed before the page was known. */
  noteUnshown(failure: FailedLoad): void {
    this.#failed = failure;
    this.#unshown = failure;
  }

  /** Somebody has broken the load of the document that is shown off: what is missing will not come. */
  noteStopped(url: string): void {
    this.#arriving = undefined;
    this.#cutAt({ url, network: "ERR_ABORTED", at: performance.now() });
  }

  follow(page: Page): void {
    this.#end();
    this.#arriving = undefined;
    this.#cut = undefined;
    this.#unshown = undefined;
    this.#isSent = false;
    const isMain = (frame: Frame | undefined) => frame === page.mainFrame();
    page.on("request", (request) => {
      if (isMain(navigatedFrame(request))) this.#begin(request);
    });
    page.on("response", (response) => {
      if (response.request() !== this.#request) return;
      this.#isAnswered = true;
      // What we answer ourselves says nothing of a server.
      if (!isLoadedUrl(response.url())) this.#status = response.status();
    });
    page.on("requestfinished", (request) => {
      if (request === this.#arriving) this.#arriving = undefined;
      if (request === this.#request) this.#isAnswered = true;
    });
    page.on("requestfailed", (request) => this.#onFailed(request));
    page.on("framenavigated", (frame) => {
      if (isMain(frame)) this.#onNavigated(frame.url());
    });
  }

  #begin(request: Request): void {
    this.#request = request;
    this.#method = methodOf(request);
    this.#isAnswered = false;
    this.#status = undefined;
    this.events.emit("sent");
  }

  #onFailed(request: Request): void {
    if (request !== this.#request && request !== this.#arriving) return;
    const network = /ERR_[A-Z0-9_]+/.exec(request.failure()?.errorText ?? "")?.[0] ?? "ERR_FAILED";
    const status = this.#status;
    const failure = { url: request.url(), network, ...(status !== undefined && { status }), at: performance.now() };
    if (request === this.#request) {
      this.#failed = failure;
      this.#request = undefined;
      this.events.emit("over");
      return;
    }
    this.#arriving = undefined;
    // Broken off by whoever stopped it.
    if (network !== "ERR_ABORTED") this.#cutAt(failure);
  }

  #cutAt(failure: FailedLoad): void {
    this.#cut = failure;
    this.events.emit("cutOff", failure);
  }

  #onNavigated(url: string): void {
    const request = this.#request;
    // The page that is about to be left has moved within itself: by a hash, or the history API.
    if (request && !this.#isAnswered && !isSamePage(url, request.url())) return;
    const isErrorPage = url.startsWith("chrome-error:");
    if (request || isErrorPage) this.#isSent = this.#method !== "GET";
    else if (!isSamePage(url, this.#shownUrl)) this.#isSent = false;
    this.#shownUrl = url;
    if (request || isErrorPage || !isSameSite(url, this.#arriving?.url() ?? this.#cut?.url)) {
      this.#arriving = request;
      this.#cut = undefined;
    }
    this.#unshown = isErrorPage ? this.#failed : undefined;
    this.#end();
  }

  #end(): void {
    this.#request = undefined;
    this.#askedAt = Number.NEGATIVE_INFINITY;
    this.events.emit("over");
  }
}

function isSamePage(a: string, b: string): boolean {
  return a.split("#")[0] === b.split("#")[0];
}

/** A document that moves within itself stays where it came from. */
function isSameSite(url: string, other: string | undefined): boolean {
  return other !== undefined && URL.parse(url)?.origin === URL.parse(other)?.origin;
}
