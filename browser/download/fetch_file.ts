/**
 * Files fetched by the browser itself, with its cookies, proxy and certificates. Every request is paused before it is
 * sent, so that the caller's policy sees each hop; the browser's own download manager writes the body to disk, and knows
 * a transfer that was cut off from one that is complete.
 */
import type { CDPSession, Download } from "playwright";
import { abortable } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { discard, limitSize } from "../driver/download.ts";
import { lackOfRoom } from "../driver/download_room.ts";
import { translateDriverError } from "../driver/errors.ts";
import type { Tab } from "../tabs/tab.ts";
import { type ReceivedFile, refuseStreams, type TransferOptions, tooLarge } from "./received_file.ts";

export interface DownloadOptions extends TransferOptions {
  /** `file`: what the address gives is the file, whatever it is. `page`: it is a page, which starts the download. */
  as: "file" | "page";
}

/** From a page that has loaded to the download that its script starts. */
const MAX_START_MS = 5_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches into a throw-away tab, hands the file over, and removes the browser's copy of it. Throws `blocked_url`,
 * `navigation_failed`, `too_large`, `unsupported` for streams, `not_found` when a page starts no download.
 */
export async function withDownload<T>(
  tab: Tab,
  url: string,
  options: DownloadOptions,
  use: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  if (!/^https?:/i.test(url)) throw new BrowseError("unsupported", `Only http and https addresses are downloaded`);
  await options.checkHop(url);
  const cdp = await tab.page.context().newCDPSession(tab.page);
  const transfer = new Transfer(cdp, url, options);
  try {
    const download = await abortable(transfer.start(tab), options.signal);
    try {
      return await use(await transfer.finish(download));
    } finally {
      await discard(download);
    }
  } finally {
    // The tab is closed right after this, and the session with it.
    await cdp.detach().catch(() => undefined);
  }
}

interface PausedRequest {
  requestId: string;
  request: { url: string; headers: Record<string, string> };
  resourceType: string;
  responseErrorReason?: string;
  responseStatusCode?: number;
  responseHeaders?: { name: string; value: string }[];
}

class Transfer {
  readonly #cdp: CDPSession;
  readonly #url: string;
  readonly #options: DownloadOptions;
  readonly #failed = Promise.withResolvers<never>();
  /** Addresses that passed the policy, fragments left out. */
  readonly #passed = new Set<string>();
  readonly #redirects: string[] = [];
  /** Of what came for documents, by its address without the fragment. */
  readonly #types = new Map<string, string>();

  constructor(cdp: CDPSession, url: string, options: DownloadOptions) {
    this.#cdp = cdp;
    this.#url = url;
    this.#options = options;
    // It may fail when nobody waits for it any more.
    this.#failed.promise.catch(() => undefined);
  }

  /** Resolves when the browser has begun to write the file. */
  async start({ page }: Tab): Promise<Download> {
    await this.#listen();
    const started = page.waitForEvent("download", { timeout: 0, signal: this.#options.signal });
    // Whoever fails first is told; this one then has nobody to tell.
    started.catch(() => undefined);
    return await Promise.race([started, this.#failed.promise, this.#load()]);
  }

  /** Waits for the end of the transfer. */
  async finish(download: Download): Promise<ReceivedFile> {
    const { signal, maxBytes } = this.#options;
    using size = limitSize(download, (bytes) => (bytes > maxBytes ? tooLarge(maxBytes) : undefined));
    const url = download.url();
    const isKnown = /^(blob|data):/.test(url) || this.#passed.has(withoutFragment(url));
    if (!isKnown) {
      throw new BrowseError("blocked_url", `The download from "${url}" was started by a frame of another site`, {
        hint: "Download its address itself",
      });
    }
    refuseStreams({ url, type: this.#typeOf(url) });
    const opened = download.createReadStream().catch(async (error: unknown) => {
      throw await this.#interruption(download, error);
    });
    const content = await abortable(Promise.race([opened, this.#failed.promise, size.exceeded]), signal);
    const type = this.#typeOf(url);
    refuseStreams({ url, type });
    return {
      url,
      redirects: this.#redirects,
      type,
      name: download.suggestedFilename(),
      content,
    };
  }

  async #listen(): Promise<void> {
    const cdp = this.#cdp;
    cdp.on("Page.downloadProgress", ({ receivedBytes, totalBytes }) => {
      const { maxBytes, onProgress } = this.#options;
      if (Math.max(receivedBytes, totalBytes) > maxBytes) {
        this.#failed.reject(tooLarge(maxBytes, Math.max(receivedBytes, totalBytes)));
      } else onProgress?.(receivedBytes, totalBytes > 0 ? totalBytes : undefined);
    });
    cdp.on("Fetch.requestPaused", (event) => void this.#decide(event as PausedRequest));
    await cdp.send("Page.enable");
    await cdp.send("Network.enable");
    // A worker of the site could answer without asking anybody.
    await cdp.send("Network.setBypassServiceWorker", { bypass: true });
    const patterns = [{ urlPattern: "*", requestStage: "Request" as const }];
    // What a page loads beside is shown as it is; a file that it starts comes as a document.
    const documents = { urlPattern: "*", resourceType: "Document" as const, requestStage: "Response" as const };
    const answers = this.#options.as === "file" ? { urlPattern: "*", requestStage: "Response" as const } : documents;
    await cdp.send("Fetch.enable", { patterns: [...patterns, answers] });
  }

  async #load(): Promise<never> {
    const { referrer, as } = this.#options;
    const { errorText, isDownload } = await this.#cdp.send("Page.navigate", {
      url: this.#url,
      ...(referrer &&
        /^https?:/.test(referrer) && { referrer, referrerPolicy: "strictOriginWhenCrossOrigin" as const }),
    });
    if (errorText && !isDownload && errorText !== "net::ERR_ABORTED") {
      throw translateDriverError(new Error(`${errorText} at ${this.#url}`));
    }
    // The download's own event comes beside this.
    if (isDownload || as === "file") return await this.#failed.promise;
    return await this.#nothingStarted();
  }

  async #nothingStarted(): Promise<never> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, MAX_START_MS);
    try {
      await Promise.race([promise, this.#failed.promise]);
    } finally {
      clearTimeout(timer);
    }
    throw new BrowseError("not_found", `The page at "${this.#url}" started no download`, {
      hint: "Leave out --navigate to get the page itself, or `browse click` what starts it",
    });
  }

  async #decide(event: PausedRequest): Promise<void> {
    const { requestId } = event;
    try {
      if (event.responseErrorReason !== undefined) await this.#cdp.send("Fetch.continueRequest", { requestId });
      else if (event.responseStatusCode === undefined) await this.#passRequest(event);
      else if (this.#options.as === "page") await this.#passAsItIs(event);
      else await this.#passResponse(event, event.responseStatusCode);
    } catch (error) {
      const isWanted = this.#options.as === "file" || event.resourceType === "Document";
      if (isWanted) this.#failed.reject(error);
      // The tab may have been closed meanwhile.
      await this.#cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" }).catch(() => undefined);
    }
  }

  async #passRequest({ requestId, request, resourceType }: PausedRequest): Promise<void> {
    await this.#options.checkHop(request.url);
    const isPage = this.#options.as === "page";
    if (resourceType === "Document") this.#passed.add(withoutFragment(request.url));
    // A browser says that it would like a page best, and some servers then wrap an image into one.
    const headers = Object.entries({ ...request.headers, Accept: "*/*" }).map(([name, value]) => ({ name, value }));
    await this.#cdp.send("Fetch.continueRequest", { requestId, ...(isPage ? {} : { headers }) });
  }

  /** The browser shows it, or makes a file of it. */
  async #passAsItIs({ requestId, request, responseHeaders = [] }: PausedRequest): Promise<void> {
    this.#noteType(request.url, headerOf(responseHeaders, "content-type"));
    await this.#cdp.send("Fetch.continueRequest", { requestId });
  }

  /** Whatever it is, the browser is told to write it to disk instead of showing it. */
  async #passResponse({ requestId, request, responseHeaders = [] }: PausedRequest, status: number): Promise<void> {
    if (REDIRECTS.has(status) && headerOf(responseHeaders, "location") !== "") {
      this.#redirects.push(request.url);
      await this.#cdp.send("Fetch.continueRequest", { requestId });
      return;
    }
    this.#assertFile(request.url, status, responseHeaders);
    const disposition = headerOf(responseHeaders, "content-disposition");
    const headers = responseHeaders.filter(({ name }) => name.toLowerCase() !== "content-disposition");
    // What follows `inline` or `attachment` is the name.
    const value = `attachment${disposition.replace(/^[^;]*/, "")}`;
    await this.#cdp.send("Fetch.continueResponse", {
      requestId,
      responseCode: status,
      responseHeaders: [...headers, { name: "Content-Disposition", value }],
    });
  }

  #assertFile(url: string, status: number, headers: readonly { name: string; value: string }[]): void {
    if (status < 200 || status > 299) {
      throw new BrowseError("navigation_failed", `Cannot download "${url}": the server answered ${status}`, {
        hint: status === 401 || status === 403 ? "Log in with the browser first, then download" : "Check the address",
        details: { status },
      });
    }
    if (status === 204 || status === 205) {
      throw new BrowseError("navigation_failed", `Cannot download "${url}": the server has nothing to send`, {
        details: { status },
      });
    }
    this.#noteType(url, headerOf(headers, "content-type"));
    refuseStreams({ url, type: this.#typeOf(url) });
    const length = Number(headerOf(headers, "content-length"));
    if (length > this.#options.maxBytes) throw tooLarge(this.#options.maxBytes, length);
  }

  #noteType(url: string, header: string): void {
    this.#types.set(withoutFragment(url), (header.split(";")[0] ?? "").trim().toLowerCase());
  }

  /** Empty when its sender gave none. */
  #typeOf(url: string): string {
    return this.#types.get(withoutFragment(url)) ?? "";
  }

  async #interruption(download: Download, cause: unknown): Promise<unknown> {
    if (this.#options.signal.aborted) return this.#options.signal.reason;
    const noRoom = lackOfRoom(download, cause);
    if (noRoom) return noRoom;
    const failure = await download.failure().catch(() => null);
    return new BrowseError("navigation_failed", `The transfer from "${download.url()}" was cut off`, {
      hint: "Try again; nothing was kept",
      cause,
      details: { failure: failure ?? "unknown" },
    });
  }
}

function headerOf(headers: readonly { name: string; value: string }[], wanted: string): string {
  return headers.find(({ name }) => name.toLowerCase() === wanted)?.value ?? "";
}

function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, "");
}
