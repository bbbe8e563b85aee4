/** What a page, or a session's service workers, asked of the network. Bodies are never fetched, secrets never kept. */
import type { BrowserContext, Page, Request, Response, WebSocket } from "playwright";
import { headOf } from "../../security/content/cut_text.ts";
import { redactCut, redactParams, redactUrl } from "../../security/secrets/redact.ts";
import { type HeaderFields, withoutOwn } from "./own_headers.ts";
import { Ring } from "./ring.ts";

/** Entries kept (protocol.md, Topics). */
const CAPACITY = 50_000;
/** Characters of all addresses and headers that were asked with. */
const MAX_CHARACTERS = 16_000_000;
/** Requests whose bodies can still be asked for: the driver's objects are large, and it forgets the older ones itself. */
const MAX_REQUESTS = 1_000;
/** Kept of a request's or response's headers, and of what a page may name freely. Characters. */
const MAX_HEADERS = 200;
const MAX_HEADER = 4_096;
const MAX_NAME = 200;

export interface NetworkEntry {
  method: string;
  url: string;
  resourceType: string;
  status?: number;
  statusText?: string;
  /** Bytes of the encoded body as the browser counted them. */
  bytes?: number;
  durationMs?: number;
  /** Until the first byte of the answer, of the whole. */
  waitMs?: number;
  failure?: string;
  /** Id of the request that was redirected to this one. */
  redirectedFrom?: number;
  /** Of a WebSocket. */
  frames?: FrameCount;
  requestHeaders: Record<string, string>;
  responseHeaders?: Record<string, string>;
  time: string;
}

/** Messages of a WebSocket, and their bytes. */
export interface FrameCount {
  sent: number;
  received: number;
  sentBytes: number;
  receivedBytes: number;
}

type Step = "request" | "response" | "finished" | "failed" | "closed";

export interface NetworkCaptureOptions {
  /** Those that the session's user has set; their values are not kept. */
  ownHeaders: () => HeaderFields;
  report: (data: Record<string, unknown>) => void;
}

export class NetworkCapture {
  readonly entries = new Ring<NetworkEntry>(CAPACITY, { maxSize: MAX_CHARACTERS, sizeOf: lengthOf });
  readonly #options: NetworkCaptureOptions;
  readonly #ids = new WeakMap<Request, number>();
  readonly #requests = new Map<number, Request>();

  constructor(options: NetworkCaptureOptions) {
    this.#options = options;
  }

  /** Takes down what this page asks for from now on, beside what is here. */
  followPage(page: Page): void {
    this.#follow(page, () => true);
    page.on("websocket", (socket) => this.#connected(socket));
  }

  /** Takes down what the service workers of this context ask for: pages do not see it. */
  followServiceWorkers(context: BrowserContext): void {
    this.#follow(context, (request) => request.serviceWorker() !== null);
  }

  /** The driver's request of that id, as long as it is remembered: its bodies can be asked for. */
  requestOf(id: number): Request | undefined {
    return this.entries.at(id) && this.#requests.get(id);
  }

  #follow(source: Page | BrowserContext, isOurs: (request: Request) => boolean): void {
    // One emitter under two types whose overloads do not merge.
    const events = source as Page;
    events.on("request", (request) => {
      if (isOurs(request)) this.#began(request);
    });
    events.on("response", (response) => this.#answered(response));
    events.on("requestfinished", (request) => void this.#finished(request));
    events.on("requestfailed", (request) => this.#failed(request));
  }

  #began(request: Request): void {
    const from = request.redirectedFrom();
    const fromId = from ? this.#ids.get(from) : undefined;
    const id = this.#keep({
      method: redactCut(request.method(), MAX_NAME),
      url: redactUrl(request.url()),
      resourceType: request.resourceType(),
      ...(fromId !== undefined && { redirectedFrom: fromId }),
      requestHeaders: this.#shownHeaders(request.headers()),
      time: new Date().toISOString(),
    });
    this.#ids.set(request, id);
    this.#requests.set(id, request);
    this.#requests.delete(id - MAX_REQUESTS);
  }

  #answered(response: Response): void {
    this.#change(response.request(), "response", (entry) => {
      entry.status = response.status();
      entry.statusText = redactCut(response.statusText(), MAX_NAME);
      entry.responseHeaders = this.#shownHeaders(response.headers());
    });
  }

  /** Sizes come from what the browser counted; asking for the body would fetch it again. */
  async #finished(request: Request): Promise<void> {
    if (!this.#ids.has(request)) return;
    const { responseStart, responseEnd } = request.timing();
    const sizes = await request.sizes().catch(() => undefined);
    this.#change(request, "finished", (entry) => {
      entry.durationMs = Math.round(responseEnd);
      entry.waitMs = Math.max(0, Math.round(responseStart));
      // Below zero when it came from the browser's own memory.
      if (sizes && sizes.responseBodySize >= 0) entry.bytes = sizes.responseBodySize;
    });
  }

  #failed(request: Request): void {
    this.#change(request, "failed", (entry) => {
      entry.failure = request.failure()?.errorText ?? "failed";
    });
  }

  /** Frames are counted, not kept: there may be thousands a second. */
  #connected(socket: WebSocket): void {
    const frames: FrameCount = { sent: 0, received: 0, sentBytes: 0, receivedBytes: 0 };
    const id = this.#keep({
      method: "GET",
      url: redactUrl(socket.url()),
      resourceType: "websocket",
      frames,
      requestHeaders: {},
      time: new Date().toISOString(),
    });
    socket.on("framesent", ({ payload }) => {
      frames.sent++;
      frames.sentBytes += Buffer.byteLength(payload);
    });
    socket.on("framereceived", ({ payload }) => {
      frames.received++;
      frames.receivedBytes += Buffer.byteLength(payload);
    });
    socket.on("socketerror", (error) => {
      const entry = this.entries.at(id);
      if (entry) entry.failure = redactCut(error, MAX_NAME);
    });
    socket.on("close", () => {
      const entry = this.entries.at(id);
      if (entry) this.#tell("closed", id, entry);
    });
  }

  #keep(entry: NetworkEntry): number {
    const id = this.entries.push(entry);
    this.#tell("request", id, entry);
    return id;
  }

  #change(request: Request, step: Step, change: (entry: NetworkEntry) => void): void {
    const id = this.#ids.get(request);
    const entry = id === undefined ? undefined : this.entries.at(id);
    if (id === undefined || !entry) return;
    change(entry);
    this.#tell(step, id, entry);
  }

  /** Headers stay here, where they can be asked for one request at a time. */
  #tell(event: Step, id: number, entry: NetworkEntry): void {
    const { requestHeaders: _, responseHeaders: __, time: ___, resourceType: type, frames, ...rest } = entry;
    this.#options.report({ event, id, type, ...rest, ...(frames && { frames: { ...frames } }) });
  }

  #shownHeaders(headers: HeaderFields): Record<string, string> {
    return redactParams(bounded(withoutOwn(headers, this.#options.ownHeaders())), []) as Record<string, string>;
  }
}

/** A page, or a server, may send megabytes in them. */
function bounded(headers: HeaderFields): HeaderFields {
  const kept = Object.entries(headers).slice(0, MAX_HEADERS);
  return Object.fromEntries(kept.map(([name, value]) => [headOf(name, MAX_NAME), headOf(value, MAX_HEADER)]));
}

function lengthOf({ url, requestHeaders }: NetworkEntry): number {
  return Object.values(requestHeaders).reduce((sum, value) => sum + value.length, url.length);
}
