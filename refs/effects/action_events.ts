/** What a tab's browser-side events say since an action began: navigations, dialogs, tabs, downloads, requests. */
import type { FileChooser, Frame, Request, Response } from "playwright";
import { emptyAnswer, navigatedFrame } from "../../browser/driver/navigated_frame.ts";
import { isUnsent } from "../../browser/driver/network_errors.ts";
import { toldRequest } from "../../browser/driver/told_request.ts";
import { targetInside } from "../../browser/driver/unseen_page.ts";
import type { DialogRecord, DownloadRecord, EmptyAnswer, WaitingRequest } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { isForOtherProgram } from "../../security/urls/other_program.ts";
import { FrameLoads } from "./frame_loads.ts";
import { isHeldOpen } from "./held_open.ts";

/** Requests whose answer a page builds content from. Streams never end, images and fonts change no nodes. */
const CONTENT_TYPES = new Set(["document", "script", "xhr", "fetch"]);

/** From the beginning of an answer to its end, when it comes in one piece: the driver tells of the end a moment late. */
const ENDED_MS = 150;

interface BrokenOff extends WaitingRequest {
  /** It was to bring the tab's next document. */
  isLoad: boolean;
  /** It was to bring that of a tab that was asked for. */
  isTab?: true;
}

export class ActionEvents {
  readonly dialogs = new Set<DialogRecord>();
  readonly frameLoads: FrameLoads;
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
  /** The main frame has a new document. */
  isNewDocument = false;
  /** Where the page asked to go, until it gets there or gives up. */
  asked: { url: string; at: number; inFrame: boolean } | undefined;
  /** Of the tab or window that was asked for and is not known yet. Browsers open one for a press, not more. */
  opening: string | undefined;
  /** It is waited for. */
  isOpening = false;
  /** A navigation was broken off: a download may be what became of it. */
  brokenOffAt = 0;
  /** When the last content request ended. */
  requestEndedAt = 0;
  /** The document that is shown has asked for scripts. */
  hasScripts = false;
  readonly #tab: Tab;
  readonly #startUrl: string;
  readonly #startFrames: ReadonlySet<Frame>;
  readonly #requests = new Set<Request>();
  /** Those that nobody waits for: the page holds such requests open. */
  readonly #held = new Set<Request>();
  readonly #navigations = new Map<Request, Frame>();
  /** When their answers began, by `performance.now()`. */
  readonly #answered = new WeakMap<Request, number>();
  readonly #brokenOff: BrokenOff[] = [];
  readonly #offs: (() => void)[] = [];
  #bump = Promise.withResolvers<void>();

  constructor(tab: Tab) {
    this.#tab = tab;
    this.#startUrl = tab.page.url();
    this.#startFrames = new Set(tab.page.frames());
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

  /** Is a frame on its way that was there when the action began, as the main one always is? Those that come are parts of the page. */
  get isNavigating(): boolean {
    return [...this.#navigations.values()].some((frame) => this.#startFrames.has(frame));
  }

  /** Is the page itself on its way? */
  get isLeaving(): boolean {
    return [...this.#navigations.values()].includes(this.#tab.page.mainFrame());
  }

  /** Where frames are on their way to. */
  get framesTo(): string[] {
    return this.frameLoads.onTheirWay(this.#navigations);
  }

  /** Content requests under way. */
  get requests(): number {
    return this.#requests.size;
  }

  /** Those that lead nowhere else and have no answer yet, the oldest first. */
  get waiting(): WaitingRequest[] {
    return this.#under.filter((request) => !this.#answered.has(request)).map(toldRequest);
  }

  /** Those whose answers have begun and come in pieces. */
  get answering(): WaitingRequest[] {
    const isLong = (begun: number | undefined) => begun !== undefined && performance.now() - begun > ENDED_MS;
    return this.#under.filter((request) => isLong(this.#answered.get(request))).map(toldRequest);
  }

  get #under(): Request[] {
    return [...this.#building, ...this.#held];
  }

  /** Is something under way that the page builds itself from? */
  get isBuilding(): boolean {
    return this.#building.length > 0;
  }

  /** Of a document that has just come, scripts and frames of other sites are not what it is read for. */
  get #building(): Request[] {
    const own = [...this.#requests].filter((request) => !this.#leads(request));
    return this.isNewDocument ? own.filter((request) => isOwn(request, this.#tab.page.url())) : own;
  }

  /** What a navigation that was broken off has come to is known. */
  get isSpent(): boolean {
    return this.downloads.length > 0 || this.emptyAnswers.length > 0;
  }

  #leads(request: Request): boolean {
    const frame = this.#navigations.get(request);
    return frame !== undefined && this.#startFrames.has(frame);
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
    on("opened", (tab: Tab) => {
      this.opened.push(tab);
      this.#hasOpened();
    });
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
    const requests = [...this.#navigations].filter(([, of]) => of === frame).map(([request]) => request);
    for (const request of requests) this.#navigations.delete(request);
    this.asked = undefined;
    this.frameLoads.noteNavigated(frame);
    if (!isMain) return;
    if (requests.length > 0) this.#arrived();
    if (requests.length > 0 || frame.url() !== this.#startUrl) this.navigated = true;
  }

  /** What the document before it asked for, it waits for no more; and of its own, this is answered. */
  #arrived(): void {
    this.isNewDocument = true;
    this.hasScripts = false;
    this.#requests.clear();
    this.#held.clear();
  }

  #onPage(): void {
    const { page } = this.#tab;
    const began = (request: Request) => {
      if (!CONTENT_TYPES.has(request.resourceType())) return;
      if (this.#isHeldOpen(request)) return void this.#held.add(request);
      this.#requests.add(request);
      this.hasScripts ||= request.resourceType() === "script";
      const frame = navigatedFrame(request);
      if (frame) this.#navigations.set(request, frame);
      if (frame && !this.#startFrames.has(frame)) this.asked = undefined;
      this.#tell();
    };
    const ended = (request: Request) => {
      this.#held.delete(request);
      if (this.#requests.delete(request)) this.requestEndedAt = performance.now();
      this.#tell();
    };
    const answered = (response: Response) => {
      this.#answered.set(response.request(), performance.now());
      const isMain = navigatedFrame(response.request()) === page.mainFrame();
      const empty = isMain ? emptyAnswer(response) : this.frameLoads.noteAnswer(response);
      if (empty) this.emptyAnswers.push(empty);
    };
    const failed = (request: Request) => {
      const isLoad = navigatedFrame(request) === page.mainFrame() || this.frameLoads.isOf(request);
      this.frameLoads.noteFailed(request);
      // What sends something may have been told as not answered by an answer long before.
      if (this.#requests.has(request) || request.method() !== "GET") this.#noteBrokenOff(request, isLoad);
      if (this.#dropNavigation(request)) {
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
    if (this.#answered.has(request) || request.existingResponse() || isUnsent(failure)) return;
    if (failure !== "net::ERR_ABORTED" && !isLoad) return;
    this.#brokenOff.push({ ...toldRequest(request), isLoad });
  }

  #isHeldOpen(request: Request): boolean {
    if (request.isNavigationRequest()) return false;
    return isHeldOpen(toldRequest(request), this.#tab.capture.network);
  }

  /** With the requests that led to it by redirect, which ended long before. */
  #dropNavigation(request: Request): boolean {
    let wasKnown = false;
    for (let hop: Request | null = request; hop; hop = hop.redirectedFrom()) {
      wasKnown = this.#navigations.delete(hop) || wasKnown;
    }
    return wasKnown;
  }

  #tell(): void {
    this.#bump.resolve();
    this.#bump = Promise.withResolvers();
  }
}

function isOwn(request: Request, page: string): boolean {
  if (!["script", "document"].includes(request.resourceType())) return true;
  return URL.parse(request.url())?.origin === URL.parse(page)?.origin;
}
