/** What a tab's browser-side events say since an action began: navigations, dialogs, tabs, downloads, requests. */
import type { FileChooser, Frame, Request, Response } from "playwright";
import { emptyAnswer, navigatedFrame } from "../../browser/driver/navigated_frame.ts";
import { isUnsent } from "../../browser/driver/network_errors.ts";
import { toldRequest } from "../../browser/driver/told_request.ts";
import { targetInside } from "../../browser/driver/unseen_page.ts";
import type { DialogRecord, DownloadRecord, EmptyAnswer, WaitingRequest } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { isForOtherProgram } from "../../security/urls/other_program.ts";
import { ContentRequests } from "./content_requests.ts";
import { FrameLoads } from "./frame_loads.ts";

interface BrokenOff extends WaitingRequest {
  /** It was to bring the tab's next document. */
  isLoad: boolean;
  /** It was to bring that of a tab that was asked for. */
  isTab?: true;
}

export class ActionEvents {
  readonly dialogs = new Set<DialogRecord>();
  readonly frameLoads: FrameLoads;
  /** Those that its page builds content from. */
  readonly requests: ContentRequests;
  readonly opened: Tab[] = [];
  /** How many tabs closed before they were there. */
  closedAgain = 0;
  /** How many tabs were closed again since there were too many. */
  popUpsClosed = 0;
  readonly downloads: DownloadRecord[] = [];
  /** Begun before the action. */
  readonly endedDownloads: DownloadRecord[] = [];
  readonly emptyAnswers: EmptyAnswer[] = [];
  /** Addresses for other programs. */
  readonly notOpened = new Set<string>();
  /** Opened, and not answered. */
  chooser: FileChooser | undefined;
  haveFilesCome = false;
  /** The main frame committed an address of which at least one was new, or a new document. */
  navigated = false;
  /** Where the page asked to go, until it gets there or gives up. */
  asked: { url: string; at: number; inFrame: boolean } | undefined;
  /** Of the tab or window that was asked for and is not known yet. Browsers open one for a press, not more. */
  opening: string | undefined;
  /** It is waited for. */
  isOpening = false;
  /** A navigation was broken off: a download may be what became of it. */
  brokenOffAt = 0;
  readonly #tab: Tab;
  readonly #startUrl: string;
  readonly #brokenOff: BrokenOff[] = [];
  readonly #offs: (() => void)[] = [];
  #bump = Promise.withResolvers<void>();

  constructor(tab: Tab) {
    this.#tab = tab;
    this.#startUrl = tab.page.url();
    this.requests = new ContentRequests(tab);
    this.frameLoads = new FrameLoads(tab.page);
    this.#onTab();
    this.#onPage();
    // Its events tell of navigations and tabs that are asked for. One that is closing has nothing more to say.
    tab.cdp().catch(() => undefined);
  }

  /** Resolves at the next event. */
  get next(): Promise<void> {
    return this.#bump.promise;
  }

  get isDownloading(): boolean {
    return this.downloads.some(({ path, failure }) => path === undefined && failure === undefined);
  }

  /** Is a frame on its way that was there when the action began? */
  get isNavigating(): boolean {
    return this.requests.isNavigating;
  }

  /** A tab that has come is blank, and waits for the server to say what it is for. */
  get isTabUnanswered(): boolean {
    return this.opened.some((tab) => tab.isOpen && isBlank(tab) && tab.pendingNavigation.url !== undefined);
  }

  /** The main frame has a new document. */
  get isNewDocument(): boolean {
    return this.requests.isNewDocument;
  }

  /** Where frames are on their way to. */
  get framesTo(): string[] {
    return this.frameLoads.onTheirWay(this.requests.navigations);
  }

  /** What a navigation that was broken off has come to is known. */
  get isSpent(): boolean {
    return this.downloads.length > 0 || this.emptyAnswers.length > 0;
  }

  /** What was broken off before it was answered, and that leaves an agent to wonder. */
  get brokenOff(): WaitingRequest[] {
    const isMeant = ({ method, isLoad, isTab }: BrokenOff) =>
      method !== "GET" ||
      isTab ||
      (isLoad && !this.navigated && !this.frameLoads.haveEnded && this.downloads.length === 0);
    return this.#brokenOff.filter(isMeant).map(({ method, url }) => ({ method, url }));
  }

  stop(): void {
    for (const off of this.#offs.splice(0)) off();
  }

  #onTab(): void {
    const { events } = this.#tab;
    const on = <Args extends unknown[]>(event: string, listener: (...args: Args) => void) => {
      const heard = (...args: Args) => {
        listener(...args);
        this.#tell();
      };
      events.on(event as "closed", heard as () => void);
      this.#offs.push(() => events.off(event as "closed", heard as () => void));
    };
    on("dialog", (record: DialogRecord) => this.dialogs.add(record));
    on("opened", (tab: Tab) => this.#openedTab(tab));
    on("popUpClosed", () => {
      this.popUpsClosed++;
      this.#hasOpened();
    });
    on("openedInVain", ({ for: what, tab }: { for: "file" | "nothing"; tab?: Tab }) => {
      // The file itself is told a moment later.
      if (what === "file") this.brokenOffAt = performance.now();
      if (what === "nothing") this.closedAgain++;
      else if (tab && this.opened.includes(tab)) this.opened.splice(this.opened.indexOf(tab), 1);
      this.#hasOpened();
    });
    on("tabBrokenOff", (request: WaitingRequest) => {
      this.#brokenOff.push({ ...request, isLoad: true, isTab: true });
      this.#hasOpened();
    });
    on("download", (record: DownloadRecord) => this.downloads.push(record));
    on("downloadEnded", (record: DownloadRecord) => {
      if (!this.downloads.includes(record)) this.endedDownloads.push(record);
    });
    on("filesGiven", () => {
      this.haveFilesCome = true;
      this.chooser = undefined;
    });
    on("navigated", (frame: Frame) => this.#navigatedIn(frame));
    on("navigationRequested", ({ url, frameId }: { url: string; frameId: string }) => {
      const inFrame = frameId !== (targetInside(this.#tab.page) ?? frameId);
      if (isForOtherProgram(url)) this.notOpened.add(url);
      else this.asked = { url, at: performance.now(), inFrame };
    });
    on("tabRequested", ({ url }: { url: string }) => this.#openingTab(url));
    on("tabAnsweredEmpty", (answer: EmptyAnswer) => {
      this.emptyAnswers.push(answer);
      this.#hasOpened();
    });
    on("closed", () => undefined);
    on("crashed", () => undefined);
  }

  #openedTab(tab: Tab): void {
    this.opened.push(tab);
    this.#hasOpened();
    const { events, url } = tab.pendingNavigation;
    if (url === undefined || !isBlank(tab)) return;
    const over = () => {
      // A file may be what became of it.
      if (isBlank(tab)) this.brokenOffAt = performance.now();
      this.#tell();
    };
    events.once("over", over);
    this.#offs.push(() => events.off("over", over));
  }

  #openingTab(url: string): void {
    if (isForOtherProgram(url)) this.notOpened.add(url);
    if (this.opened.length > 0 || isForOtherProgram(url)) return;
    this.isOpening = true;
    this.opening = url;
  }

  #hasOpened(): void {
    this.isOpening = false;
    this.opening = undefined;
  }

  #navigatedIn(frame: Frame): void {
    const isMain = frame === this.#tab.page.mainFrame();
    const wasRequested = this.requests.noteNavigated(frame);
    this.asked = undefined;
    this.frameLoads.noteNavigated(frame);
    if (!isMain) return;
    if (wasRequested) this.requests.noteNewDocument();
    if (wasRequested || frame.url() !== this.#startUrl) this.navigated = true;
  }

  #onPage(): void {
    const { page } = this.#tab;
    const began = (request: Request) => {
      if (!this.requests.noteBegun(request)) return;
      const frame = navigatedFrame(request);
      if (frame && !this.requests.wasThere(frame)) this.asked = undefined;
      this.#tell();
    };
    const ended = (request: Request) => {
      this.requests.noteEnded(request);
      this.#tell();
    };
    const answered = (response: Response) => {
      this.requests.noteAnswered(response.request());
      const isMain = navigatedFrame(response.request()) === page.mainFrame();
      const empty = isMain ? emptyAnswer(response) : this.frameLoads.noteAnswer(response);
      if (empty) this.emptyAnswers.push(empty);
    };
    const failed = (request: Request) => {
      const isLoad = navigatedFrame(request) === page.mainFrame() || this.frameLoads.isOf(request);
      this.frameLoads.noteFailed(request);
      // What sends something may have been told as not answered by an answer long before.
      if (this.requests.has(request) || request.method() !== "GET") this.#noteBrokenOff(request, isLoad);
      if (this.requests.dropNavigation(request)) {
        this.asked = undefined;
        this.brokenOffAt = performance.now();
      }
      ended(request);
    };
    // Until it ends no window opens for it, where there is a display: whoever sits before it gets theirs at other times.
    const chooses = (chooser: FileChooser) => {
      this.chooser = chooser;
      this.#tell();
    };
    page.on("filechooser", chooses);
    page.on("request", began).on("response", answered).on("requestfinished", ended).on("requestfailed", failed);
    this.#offs.push(() => {
      page.off("filechooser", chooses);
      page.off("request", began).off("response", answered).off("requestfinished", ended).off("requestfailed", failed);
    });
  }

  #noteBrokenOff(request: Request, isLoad: boolean): void {
    const failure = request.failure()?.errorText ?? "";
    if (isForOtherProgram(request.url())) return void this.notOpened.add(request.url());
    if (this.requests.hasAnswer(request) || request.existingResponse() || isUnsent(failure)) return;
    if (failure !== "net::ERR_ABORTED" && !isLoad) return;
    this.#brokenOff.push({ ...toldRequest(request), isLoad });
  }

  #tell(): void {
    this.#bump.resolve();
    this.#bump = Promise.withResolvers();
  }
}

function isBlank({ page }: Tab): boolean {
  return page.url() === "about:blank";
}
