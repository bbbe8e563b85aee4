/** The requests that a tab has made since an action began, as far as its page builds content from their answers. */
import type { Frame, Request } from "playwright";
import { navigatedFrame } from "../../browser/driver/navigated_frame.ts";
import { toldRequest } from "../../browser/driver/told_request.ts";
import type { WaitingRequest } from "../../browser/effect_report.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { isHeldOpen } from "./held_open.ts";

/** Requests whose answer a page builds content from. Streams never end, images and fonts change no nodes. */
const CONTENT_TYPES = new Set(["document", "script", "xhr", "fetch"]);

/** From the beginning of an answer to its end, when it comes in one piece: the driver tells of the end a moment late. */
const ENDED_MS = 150;

export class ContentRequests {
  /** When the last one ended, by `performance.now()`; 0 before that. */
  endedAt = 0;
  /** The main frame has a new document. */
  isNewDocument = false;
  /** The document that is shown has asked for scripts. */
  hasScripts = false;
  readonly #tab: Tab;
  readonly #startFrames: ReadonlySet<Frame>;
  readonly #underWay = new Set<Request>();
  /** Those that nobody waits for: the page holds such requests open. */
  readonly #held = new Set<Request>();
  readonly #navigations = new Map<Request, Frame>();
  /** When their answers began, by `performance.now()`. */
  readonly #answered = new WeakMap<Request, number>();

  constructor(tab: Tab) {
    this.#tab = tab;
    this.#startFrames = new Set(tab.page.frames());
  }

  /** How many are under way. */
  get count(): number {
    return this.#underWay.size;
  }

  /** Those that are to bring documents, and for which frame. */
  get navigations(): ReadonlyMap<Request, Frame> {
    return this.#navigations;
  }

  /** Is a frame on its way that was there when the action began, as the main one always is? Those that come are parts of the page. */
  get isNavigating(): boolean {
    return [...this.#navigations.values()].some((frame) => this.wasThere(frame));
  }

  /** Is the page itself on its way? */
  get isLeaving(): boolean {
    return [...this.#navigations.values()].includes(this.#tab.page.mainFrame());
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

  /** Is something under way that the page builds itself from? */
  get isBuilding(): boolean {
    return this.#building.length > 0;
  }

  /** Was the frame there when the action began? */
  wasThere(frame: Frame): boolean {
    return this.#startFrames.has(frame);
  }

  has(request: Request): boolean {
    return this.#underWay.has(request);
  }

  hasAnswer(request: Request): boolean {
    return this.#answered.has(request);
  }

  /** False for one that nobody waits for. */
  noteBegun(request: Request): boolean {
    if (!CONTENT_TYPES.has(request.resourceType())) return false;
    if (this.#isHeldOpen(request)) {
      this.#held.add(request);
      return false;
    }
    this.#underWay.add(request);
    this.hasScripts ||= request.resourceType() === "script";
    const frame = navigatedFrame(request);
    if (frame) this.#navigations.set(request, frame);
    return true;
  }

  noteAnswered(request: Request): void {
    this.#answered.set(request, performance.now());
  }

  noteEnded(request: Request): void {
    this.#held.delete(request);
    if (this.#underWay.delete(request)) this.endedAt = performance.now();
  }

  /** The frame has committed an address: false when no request has led to it. */
  noteNavigated(frame: Frame): boolean {
    const requests = [...this.#navigations].filter(([, of]) => of === frame).map(([request]) => request);
    for (const request of requests) this.#navigations.delete(request);
    return requests.length > 0;
  }

  /** What the document before it asked for, the page waits for no more; and of its own, this is answered. */
  noteNewDocument(): void {
    this.isNewDocument = true;
    this.hasScripts = false;
    this.#underWay.clear();
    this.#held.clear();
  }

  /** With the requests that led to it by redirect, which ended long before. False when none was to bring a document. */
  dropNavigation(request: Request): boolean {
    let wasKnown = false;
    for (let hop: Request | null = request; hop; hop = hop.redirectedFrom()) {
      wasKnown = this.#navigations.delete(hop) || wasKnown;
    }
    return wasKnown;
  }

  get #under(): Request[] {
    return [...this.#building, ...this.#held];
  }

  /** Of a document that has just come, scripts and frames of other sites are not what it is read for. */
  get #building(): Request[] {
    const own = [...this.#underWay].filter((request) => !this.#leads(request));
    return this.isNewDocument ? own.filter((request) => isOwn(request, this.#tab.page.url())) : own;
  }

  #leads(request: Request): boolean {
    const frame = this.#navigations.get(request);
    return frame !== undefined && this.wasThere(frame);
  }

  #isHeldOpen(request: Request): boolean {
    if (request.isNavigationRequest()) return false;
    return isHeldOpen(toldRequest(request), this.#tab.capture.network);
  }
}

function isOwn(request: Request, page: string): boolean {
  if (!["script", "document"].includes(request.resourceType())) return true;
  return URL.parse(request.url())?.origin === URL.parse(page)?.origin;
}
