/** What the documents in a tab are asking for now. What comes bit by bit for as long as it is wanted (streams, videos) is none of it. */
import type { Frame, Page, Request } from "playwright";
import { navigatedFrame } from "../driver/navigated_frame.ts";

const STREAMS: ReadonlySet<string> = new Set(["eventsource", "media"]);

/** A request and when it began, by `Date.now()`. */
export interface UnderWay {
  request: Request;
  begunAt: number;
}

export class RequestsUnderWay {
  /** When the last one began or ended, by `performance.now()`. */
  lastAt = 0;
  /** In the order in which they began. */
  readonly #begun = new Map<Request, UnderWay>();
  readonly #coming = new Map<Frame, Request>();
  #bump = Promise.withResolvers<void>();

  /** Resolves when the next one begins or ends. */
  get next(): Promise<void> {
    return this.#bump.promise;
  }

  get all(): UnderWay[] {
    return [...this.#begun.values()];
  }

  /** Goes on with this page, and forgets the one before. */
  follow(page: Page): void {
    this.#begun.clear();
    this.#coming.clear();
    page.on("request", (request) => {
      if (STREAMS.has(request.resourceType())) return;
      this.#begun.set(request, { request, begunAt: Date.now() });
      const frame = navigatedFrame(request);
      if (frame) this.#coming.set(frame, request);
      this.#tell();
    });
    page.on("requestfinished", (request) => this.#over([request]));
    page.on("requestfailed", (request) => this.#over([request]));
    page.on("framenavigated", (frame) => this.#arrived(frame, frame === page.mainFrame()));
    page.on("framedetached", (frame) => this.#over(this.#of(frame)));
  }

  /** A document waits no more for what the one before it asked for. Those that move within themselves have no request. */
  #arrived(frame: Frame, isMain: boolean): void {
    const document = this.#coming.get(frame);
    if (!document) return;
    this.#coming.delete(frame);
    const before = isMain ? [...this.#begun.keys()] : this.#of(frame);
    const since = before.indexOf(document);
    this.#over(since < 0 ? [] : before.slice(0, since));
  }

  #of(frame: Frame): Request[] {
    return [...this.#begun.keys()].filter((request) => frameOf(request) === frame);
  }

  #over(requests: readonly Request[]): void {
    const ended = requests.filter((request) => this.#begun.delete(request));
    if (ended.length > 0) this.#tell();
  }

  #tell(): void {
    this.lastAt = performance.now();
    this.#bump.resolve();
    this.#bump = Promise.withResolvers();
  }
}

/** Undefined for a tab that is being opened. */
function frameOf(request: Request): Frame | undefined {
  return request.isNavigationRequest() ? navigatedFrame(request) : request.frame();
}
