/**
 * What tabs ask for before they have rules of their own: a pop-up, its frames, a tab that a click with Control held
 * opens. The requests of the whole browser are paused for it, while there is a tab whose pages could open such a tab, or
 * a host that is closed to everyone. Chromium starts some of them before any session can be with their page, so that
 * waiting for its debugger would come too late.
 */
import { createHash } from "node:crypto";
import type { Browser, CDPSession } from "playwright";
import { childFramesOf } from "../emulation/child_frames.ts";
import type { Tab } from "../tabs/tab.ts";
import { GuardedPage, isRefusal, type PausedRequest, type Refused } from "./guarded_page.ts";
import type { PageRules, Pattern } from "./page_rules.ts";
import { inlineTexts, isLeak, type SentRequest, withoutLeak } from "./sent_request.ts";

/** Whose pages open tabs: they are held to the same rules. */
export interface Opener {
  readonly tab: Tab;
  readonly rules: PageRules;
  refuse(load: Refused): void;
}

interface FirstLoadsOptions {
  /** The tab with rules whose page has that target, if there is one. */
  guarded: (target: string) => Opener | undefined;
  /** Holds for everyone. Throws `blocked_url`. */
  checkDocument: (url: string) => void;
  /** Asked about what no tab's page asks for itself: its frames, workers that several pages share. Throws `blocked_content`. */
  checkSent: (request: SentRequest) => void;
  /** Told what `checkDocument` refused, before its page knows. */
  onRefused: (frame: string, load: Omit<Refused, "isMain">) => Promise<void>;
}

interface TargetInfo {
  targetId: string;
  type: string;
  url: string;
  openerId?: string;
}

/** A tab that has been opened by one with rules, until it is known to the session that it belongs to. */
interface NewTab {
  opener: Opener;
  page?: GuardedPage;
  /** Frames that were there before its own requests were paused. Never rejects. */
  frames: Promise<readonly string[]>;
  /** Settles when its requests are paused. Never rejects. */
  settled: Promise<void>;
}

/** A page that asks for a tab gets it by then, or not at all. */
const ASKED_MS = 5_000;
const CLAIM_MS = 1_000;
/** A tab that cannot be held to its rules by then is closed. */
const SETTLE_MS = 5_000;

export class FirstLoads {
  readonly #options: FirstLoadsOptions;
  #cdp: Promise<CDPSession> | undefined;
  #patterns = "[]";
  #changing: Promise<void> = Promise.resolve();
  readonly #pages = new Set<string>();
  /** Tabs without an opener that have not said yet where they go. */
  readonly #unclaimed = new Map<string, PromiseWithResolvers<void>>();
  readonly #asked: { place: string; opener: Opener; at: number }[] = [];
  readonly #newTabs = new Map<string, NewTab>();

  constructor(options: FirstLoadsOptions) {
    this.#options = options;
  }

  /** Is anything paused? */
  get isPausing(): boolean {
    return this.#patterns !== "[]";
  }

  /** Requests like these are paused from now on; resolves when they are. */
  async pause(browser: Browser, patterns: readonly Pattern[]): Promise<void> {
    const wanted = JSON.stringify(patterns);
    if (wanted === this.#patterns) return await this.#changing;
    this.#patterns = wanted;
    this.#changing = this.#changing.catch(() => undefined).then(() => this.#pause(browser, patterns));
    await this.#changing;
  }

  /** A page with rules wants a tab there that will not say who opened it. */
  noteAsked(url: string, opener: Opener): void {
    const now = performance.now();
    while (this.#asked[0] && now - this.#asked[0].at > ASKED_MS) this.#asked.shift();
    this.#asked.push({ place: placeOf(url), opener, at: now });
  }

  /** Whose page has opened that one; undefined when nobody's with rules has. */
  openerOf(target: string): Opener | undefined {
    return this.#newTabs.get(target)?.opener;
  }

  /** The tab's own rules hold now. */
  async release(target: string): Promise<void> {
    const known = this.#newTabs.get(target);
    this.#newTabs.delete(target);
    await known?.settled;
    await known?.page?.detach();
  }

  async #pause(browser: Browser, patterns: readonly Pattern[]): Promise<void> {
    this.#cdp ??= this.#open(browser);
    const cdp = await this.#cdp;
    if (patterns.length > 0) await cdp.send("Fetch.enable", { patterns: [...patterns] });
    else await cdp.send("Fetch.disable");
    // Those that are there already are told of too.
    await cdp.send("Target.setDiscoverTargets", { discover: patterns.length > 0 });
    if (patterns.length === 0) this.#pages.clear();
  }

  async #open(browser: Browser): Promise<CDPSession> {
    const cdp = await browser.newBrowserCDPSession();
    cdp.on("Target.targetCreated", ({ targetInfo }) => this.#created(targetInfo));
    cdp.on("Target.targetInfoChanged", ({ targetInfo: { targetId, url } }) => {
      // Where it goes may be told after it was blank for a moment; nobody waits for that.
      if (url === "about:blank") this.#unclaimed.get(targetId)?.resolve();
      else if (url !== "") this.#claim(targetId, url);
    });
    cdp.on("Target.targetDestroyed", ({ targetId }) => this.#destroyed(targetId));
    cdp.on("Fetch.requestPaused", (event) => void this.#decide(cdp, event));
    return cdp;
  }

  #created({ targetId, type, url, openerId }: TargetInfo): void {
    if (type !== "page" || this.#pages.has(targetId)) return;
    this.#pages.add(targetId);
    const opener = openerId === undefined ? undefined : this.#openerNamed(openerId);
    if (opener) this.#takeIn(targetId, opener);
    // One that we open is blank from the beginning.
    else if (openerId === undefined && url === "") this.#await(targetId);
  }

  /** What does not say by then where it goes keeps nobody waiting. */
  #await(target: string): void {
    const unclaimed = Promise.withResolvers<void>();
    this.#unclaimed.set(target, unclaimed);
    setTimeout(unclaimed.resolve, CLAIM_MS).unref();
    setTimeout(() => this.#unclaimed.delete(target), ASKED_MS).unref();
  }

  #destroyed(target: string): void {
    this.#pages.delete(target);
    this.#newTabs.delete(target);
    this.#unclaimed.get(target)?.resolve();
    this.#unclaimed.delete(target);
  }

  #openerNamed(target: string): Opener | undefined {
    return this.#options.guarded(target) ?? this.openerOf(target);
  }

  /** What a page asked for, and where the tab goes, are told in that order. */
  #claim(target: string, url: string): void {
    const unclaimed = this.#unclaimed.get(target);
    if (!unclaimed) return;
    this.#unclaimed.delete(target);
    const since = performance.now() - ASKED_MS;
    const place = placeOf(url);
    const asked = this.#asked.find((ask) => ask.at >= since && ask.place === place);
    if (asked) this.#takeIn(target, asked.opener);
    unclaimed.resolve();
  }

  #takeIn(target: string, opener: Opener): void {
    const taken: NewTab = { opener, frames: Promise.resolve([]), settled: Promise.resolve() };
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error("The tab did not answer")), SETTLE_MS);
    taken.settled = Promise.race([this.#settle(target, taken), late])
      // What cannot be held to its rules is not kept; one that has closed itself needs no rules.
      .catch(async () => void (await this.#close(target)))
      .finally(() => clearTimeout(timer));
    this.#newTabs.set(target, taken);
  }

  async #settle(target: string, taken: NewTab): Promise<void> {
    const { opener } = taken;
    const session = await childFramesOf(await this.#session()).attach(target);
    taken.page = new GuardedPage(target, session, {
      rules: opener.rules,
      isNew: true,
      refuse: ({ url, error }) => opener.refuse({ url, error, isMain: false }),
      onTabRequested: (url) => this.noteAsked(url, opener),
    });
    await taken.page.holdFirst();
    taken.frames = taken.page.frames().catch(() => []);
  }

  /** Never rejects: without its session the browser is gone, and its tabs with it. */
  async #close(targetId: string): Promise<void> {
    try {
      await (await this.#session()).send("Target.closeTarget", { targetId });
    } catch {
      // It has closed itself.
    }
  }

  #session(): Promise<CDPSession> {
    if (!this.#cdp) throw new Error("Nothing has been paused yet");
    return this.#cdp;
  }

  async #decide(cdp: CDPSession, paused: PausedRequest): Promise<void> {
    const { requestId, request, resourceType, frameId } = paused;
    const { url } = request;
    const isDocument = resourceType === "Document";
    try {
      if (isDocument) await this.#checkForAll(frameId, url);
      if (!this.#pages.has(frameId)) this.#options.checkSent(request);
      const opener = await this.#openerOfRequest(frameId, url);
      await this.#checkFor(opener, paused);
      await cdp.send("Fetch.continueRequest", { requestId });
    } catch {
      // A new tab without a document would never become a tab; any other stays as it is.
      const errorReason = isDocument && !this.#newTabs.has(frameId) ? "Aborted" : "BlockedByClient";
      await cdp.send("Fetch.failRequest", { requestId, errorReason }).catch(() => undefined);
    }
  }

  async #checkFor(opener: Opener | undefined, { request, resourceType }: PausedRequest): Promise<void> {
    const { url } = request;
    try {
      await opener?.rules.check(url, resourceType === "Document");
      if (opener?.rules.watchesSent) opener.rules.checkSent(inlineTexts(request));
    } catch (error) {
      if (isRefusal(error)) opener?.refuse({ url: isLeak(error) ? withoutLeak(url) : url, error, isMain: false });
      throw error;
    }
  }

  async #checkForAll(frame: string, url: string): Promise<void> {
    try {
      this.#options.checkDocument(url);
    } catch (error) {
      if (isRefusal(error)) await this.#options.onRefused(frame, { url, error });
      throw error;
    }
  }

  /** Whose new tab asks; undefined when it is none of theirs, or its own rules have seen the request already. */
  async #openerOfRequest(frame: string, url: string): Promise<Opener | undefined> {
    this.#claim(frame, url);
    const known = this.#newTabs.get(frame);
    if (known || this.#pages.has(frame)) {
      await known?.settled;
      return known?.opener;
    }
    await Promise.all([...this.#unclaimed.values()].map(({ promise }) => promise));
    const newTabs = [...this.#newTabs.values()];
    await Promise.all(newTabs.map(({ settled }) => settled));
    for (const { frames, opener } of newTabs) {
      if ((await frames).includes(frame)) return opener;
    }
    return undefined;
  }
}

/** Looked at of an address; a page may ask for thousands of megabytes in a second. Characters. */
const MAX_PLACE = 8_192;

/**
 * The same for addresses that mean the same: Chromium may take https where http was asked for, and tells fragments in one
 * of the two places only. A digest, so that what is kept does not keep the address.
 */
function placeOf(url: string): string {
  const end = url.indexOf("#");
  const bare = url.slice(0, Math.min(end === -1 ? url.length : end, MAX_PLACE)).replace(/^https?:/i, "");
  return createHash("sha256").update(bare).digest("base64");
}
