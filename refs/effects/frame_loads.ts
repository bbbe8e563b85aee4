/** What became of the documents that frames of a page were to show: those frames that were there when the action began. */
import type { Frame, Page, Request, Response } from "playwright";
import { emptyAnswer, navigatedFrame } from "../../browser/driver/navigated_frame.ts";
import type { EmptyAnswer, FailedFrame } from "../../browser/effect_report.ts";

/** The browser's own page in the place of one that it could not load. */
const ERROR_PAGE = "chrome-error:";

export class FrameLoads {
  /** Addresses that they committed. */
  readonly urls = new Set<string>();
  readonly #frames: ReadonlySet<Frame>;
  /** By address. */
  readonly #failed = new Map<string, FailedFrame>();

  constructor(page: Page) {
    this.#frames = new Set(page.frames().filter((frame) => frame !== page.mainFrame()));
  }

  /** Answered with an error status, or not loaded at all. */
  get failed(): FailedFrame[] {
    return [...this.#failed.values()];
  }

  /** Has anything come of a load? */
  get haveEnded(): boolean {
    return this.urls.size > 0 || this.#failed.size > 0;
  }

  isOf(request: Request): boolean {
    const frame = navigatedFrame(request);
    return frame !== undefined && this.#frames.has(frame);
  }

  noteNavigated(frame: Frame): void {
    if (this.#frames.has(frame) && !frame.url().startsWith(ERROR_PAGE)) this.urls.add(frame.url());
  }

  /** What the answer says when it has nothing to show. */
  noteAnswer(response: Response): EmptyAnswer | undefined {
    if (!this.isOf(response.request())) return undefined;
    const url = response.url();
    if (response.status() >= 400) this.#failed.set(url, { url, status: response.status() });
    return emptyAnswer(response);
  }

  /** One that was broken off has not failed. */
  noteFailed(request: Request): void {
    const network = /ERR_[A-Z0-9_]+/.exec(request.failure()?.errorText ?? "")?.[0];
    if (network === undefined || network === "ERR_ABORTED" || !this.isOf(request)) return;
    const url = request.url();
    this.#failed.set(url, this.#failed.get(url) ?? { url, network });
  }

  /** Where they are on their way to. */
  onTheirWay(navigations: ReadonlyMap<Request, Frame>): string[] {
    // The last that each was led to.
    const last = new Map([...navigations].map(([request, frame]) => [frame, request.url()]));
    return [...last].filter(([frame]) => this.#frames.has(frame) && !frame.isDetached()).map(([, url]) => url);
  }
}
