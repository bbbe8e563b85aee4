/** What a tab's page said and fetched: bounded, in memory, with ids that stay. Bodies are never fetched. */
import type { ConsoleMessage, Page, Request } from "playwright";
import type { DialogRecord } from "./effect_report.ts";
import { type HeaderFields, withoutOwn } from "./own_headers.ts";
import { Ring } from "./ring.ts";

/** Entries kept of each kind and tab (protocol.md, Topics). */
const CAPACITY = 50_000;
/** Requests whose bodies can still be asked for: the driver's objects are large, and it forgets the older ones itself. */
const MAX_REQUESTS = 1_000;

export interface ConsoleEntry {
  level: "log" | "debug" | "info" | "warning" | "error";
  text: string;
  /** `url:line:column`, where the page's script said it. */
  location?: string;
  /** True for an uncaught exception or unhandled rejection. */
  uncaught?: boolean;
  stack?: string;
  time: string;
}

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
  requestHeaders: Record<string, string>;
  responseHeaders?: Record<string, string>;
  time: string;
}

export class Capture {
  readonly console = new Ring<ConsoleEntry>(CAPACITY);
  readonly network = new Ring<NetworkEntry>(CAPACITY);
  readonly dialogs = new Ring<DialogRecord>(CAPACITY);
  readonly #ids = new WeakMap<Request, number>();
  readonly #requests = new Map<number, Request>();
  readonly #ownHeaders: () => HeaderFields;

  /** `ownHeaders` are those that the session's user has set; their values are not kept. */
  constructor(page: Page, ownHeaders: () => HeaderFields = () => ({})) {
    this.#ownHeaders = ownHeaders;
    this.follow(page);
  }

  /** Takes down what this page says and fetches from now on, beside what is here. */
  follow(page: Page): void {
    page.on("console", (message) => this.console.push(consoleEntry(message)));
    page.on("pageerror", (error) => this.console.push(uncaughtEntry(error)));
    page.on("request", (request) => this.#began(request));
    page.on("response", (response) => {
      const entry = this.#entryOf(response.request());
      if (!entry) return;
      entry.status = response.status();
      entry.statusText = response.statusText();
      entry.responseHeaders = withoutOwn(response.headers(), this.#ownHeaders());
    });
    page.on("requestfinished", (request) => void this.#finished(request));
    page.on("requestfailed", (request) => {
      const entry = this.#entryOf(request);
      if (entry) entry.failure = request.failure()?.errorText ?? "failed";
    });
  }

  addDialog(record: DialogRecord): void {
    this.dialogs.push(record);
  }

  /** The driver's request of that id, as long as it is remembered: its bodies can be asked for. */
  requestOf(id: number): Request | undefined {
    return this.network.at(id) && this.#requests.get(id);
  }

  #entryOf(request: Request): NetworkEntry | undefined {
    const id = this.#ids.get(request);
    return id === undefined ? undefined : this.network.at(id);
  }

  #began(request: Request): void {
    const entry: NetworkEntry = {
      method: request.method(),
      url: request.url(),
      resourceType: request.resourceType(),
      requestHeaders: withoutOwn(request.headers(), this.#ownHeaders()),
      time: new Date().toISOString(),
    };
    const from = request.redirectedFrom();
    const fromId = from ? this.#ids.get(from) : undefined;
    if (fromId !== undefined) entry.redirectedFrom = fromId;
    const id = this.network.push(entry);
    this.#ids.set(request, id);
    this.#requests.set(id, request);
    this.#requests.delete(id - MAX_REQUESTS);
  }

  /** Sizes come from what the browser counted; asking for the body would fetch it again. */
  async #finished(request: Request): Promise<void> {
    const entry = this.#entryOf(request);
    if (!entry) return;
    const { responseStart, responseEnd } = request.timing();
    entry.durationMs = Math.round(responseEnd);
    entry.waitMs = Math.max(0, Math.round(responseStart));
    const sizes = await request.sizes().catch(() => undefined);
    // Below zero when it came from the browser's own memory.
    if (sizes && sizes.responseBodySize >= 0) entry.bytes = sizes.responseBodySize;
  }
}

const LEVELS: Readonly<Record<string, ConsoleEntry["level"]>> = {
  debug: "debug",
  info: "info",
  warning: "warning",
  error: "error",
  assert: "error",
};

function consoleEntry(message: ConsoleMessage): ConsoleEntry {
  const { url, lineNumber, columnNumber } = message.location();
  return {
    level: LEVELS[message.type()] ?? "log",
    text: message.text(),
    ...(url ? { location: `${url}:${lineNumber + 1}:${columnNumber + 1}` } : {}),
    time: new Date().toISOString(),
  };
}

function uncaughtEntry(error: Error): ConsoleEntry {
  return {
    level: "error",
    text: error.message ? `${error.name}: ${error.message}` : String(error),
    uncaught: true,
    ...(error.stack ? { stack: error.stack } : {}),
    time: new Date().toISOString(),
  };
}
