/** A session: one cookie jar, its tabs, and which of them is current. */

import { EventEmitter } from "node:events";
import { tmpdir } from "node:os";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright";
import { abortable, within } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import { redactUrl } from "../../security/secrets/redact.ts";
import type { Token } from "../../security/tokens/token.ts";
import { ServiceWorkers } from "../capture/service_workers.ts";
import { keepDownload } from "../download/keep_download.ts";
import { translateDriverError } from "../driver/errors.ts";
import { DownloadBudget } from "../limits/download_budget.ts";
import { openerTargetOf, targetOfPage } from "../load_guard/target_id.ts";
import type { History } from "../navigation/replay_history.ts";
import { StateOf } from "../state_of.ts";
import { closePage } from "../tabs/close_page.ts";
import type { DialogPolicy } from "../tabs/dialogs.ts";
import { OpenedHere } from "../tabs/open_page.ts";
import { PopUps } from "../tabs/pop_ups.ts";
import { reviveIn } from "../tabs/revive.ts";
import { Tab } from "../tabs/tab.ts";
import { SharedLock } from "../tabs/tab_lock.ts";
import { type ThrowAwayUse, thenClosed } from "../tabs/throw_away.ts";
import { closeUnansweredTabs, noteAskedTabs, noteUnseenAnswer, takeGivenUp } from "../tabs/unanswered_tabs.ts";
import { CurrentTabs } from "./current_tabs.ts";
import { makeContext } from "./make_context.ts";
import { SessionEmulation } from "./session_emulation.ts";
import type { PageProbe, PreparedPage, SessionEvents, SessionOptions } from "./session_options.ts";
import { Visitors } from "./visitors.ts";

/** A browser that does not answer keeps no tab from being closed. */
const ASKED_MS = 300;
/** Of waits that nobody calls off. */
const NEVER = new AbortController().signal;

export class Session {
  readonly name: string;
  readonly events = new EventEmitter<SessionEvents>();
  readonly emulation: SessionEmulation;
  /** Shared by those who open tabs; held alone while tabs are replaced by others. */
  readonly lock = new SharedLock();
  /** Where files wait that nobody has taken yet. */
  readonly filesFolder: string;
  dialogPolicy: DialogPolicy;
  #context: BrowserContext;
  readonly probe: PageProbe;
  /** What others keep for the session. */
  readonly state = new StateOf<Session>(this);
  readonly #options: SessionOptions;
  readonly #tabs = new Map<string, Tab>();
  readonly #byPage = new WeakMap<Page, Tab>();
  /** Settles when the tab is like the others of the session. Never rejects. */
  readonly #preparing = new WeakMap<Tab, Promise<void>>();
  /** Settles when it is known whose the page is that another has opened. Never rejects. */
  readonly #adopting = new WeakMap<Page, Promise<void>>();
  readonly #currentTabs = new CurrentTabs();
  readonly #visitors = new Visitors(this);
  /** The tab whose page last asked for a tab: the one without an opener that comes next is its. */
  #requester: Tab | undefined;
  /** Tabs of ours, which nobody but `inThrowAwayTab` knows of. */
  readonly #throwAway = new WeakSet<Tab>();
  readonly #popUps = new PopUps();
  readonly #downloads = new DownloadBudget();
  /** Aborted when nothing more comes of what is being transferred. */
  #transfers = new AbortController();
  /** In which crashed tabs go on: none of them is a tab of its own. */
  readonly #revivals = new OpenedHere();
  readonly #opened = new OpenedHere();
  readonly #serviceWorkers: ServiceWorkers;

  constructor(context: BrowserContext, options: SessionOptions) {
    this.#context = context;
    this.name = options.name;
    this.probe = options.probe;
    this.filesFolder = options.browserFolder ?? tmpdir();
    this.dialogPolicy = options.dialogPolicy;
    this.#options = options;
    this.emulation = new SessionEmulation(this);
    this.#serviceWorkers = new ServiceWorkers({
      ownHeaders: () => this.emulation.headers,
      report: (topic, data) => options.report?.(topic, data, { session: this.name }),
    });
    this.#follow(context);
  }

  /** Who made it. */
  get holder(): Token | undefined {
    return this.#options.holder;
  }

  /** Has somebody who did not make it a tab in it, or is about to? */
  get hasVisitors(): boolean {
    return this.#visitors.areThere;
  }

  /** The driver's context; another one after a rebuild. */
  get context(): BrowserContext {
    return this.#context;
  }

  /** Before a page loads these that is to become the tab, or a new one of the session. */
  async preparePage(page: Page, urls: readonly string[], tab?: Tab): Promise<void> {
    await this.#options.guard?.prepare(page, { urls, tab, holder: this.holder });
  }

  /** A context that can take the place of this one, made with `options` beside what all are made with. */
  async newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const browser = this.#context.browser();
    if (!browser) throw new BrowseError("unsupported", "This browser has one context only");
    const context = await makeContext(browser, options);
    await this.#options.onContext?.(context);
    await this.emulation.prepareContext(context);
    return context;
  }

  get tabs(): Tab[] {
    return [...this.#tabs.values()];
  }

  /** The tab that commands of `holder` mean when they name none; of those who may use all tabs when absent. */
  current(holder?: Token): Tab | undefined {
    return this.#currentTabs.current(holder);
  }

  find(id: string): Tab | undefined {
    return this.#tabs.get(id);
  }

  /** The holder's current tab; a first one is opened when there is none, once however many ask. */
  async currentTab(holder: Token): Promise<Tab> {
    return await this.#currentTabs.currentOr(holder, () => this.newTab(holder));
  }

  /** Has `holder` a tab that is current, or will be in a moment? */
  hasTabOf(holder: Token): boolean {
    return this.#currentTabs.isTaken(holder);
  }

  /** Opens a tab for `holder`. Of several that are opened at a time, the one asked for last becomes current. */
  async newTab(holder: Token): Promise<Tab> {
    const seat = this.#currentTabs.reserve(holder);
    const release = await this.lock.share(NEVER);
    try {
      const tab = await this.#visitors.receive(holder, async () => await this.#openTab(holder));
      seat(tab);
      return tab;
    } finally {
      release();
    }
  }

  async #openTab(holder: Token): Promise<Tab> {
    const tab = this.#adoptNow(await this.#opened.open(this.context));
    await this.#hand(tab, holder);
    await this.#preparing.get(tab);
    return tab;
  }

  /** Opens a crashed tab again, at its address but with nothing loaded. To be called by whoever holds the tab's lock. */
  async revive(tab: Tab, signal: AbortSignal, history?: History): Promise<void> {
    const page = await this.#revivals.open(this.context);
    this.#byPage.set(page, tab);
    this.#keepDownloads(page, tab);
    const prepare = async (urls: readonly string[]) => await this.preparePage(page, urls, tab);
    await reviveIn(tab, { page, emulation: this.emulation, history, prepare, signal });
  }

  /** Makes the tab the one that commands of `holder` mean when they name none. */
  select(tab: Tab, holder?: Token): void {
    this.#currentTabs.select(tab, holder);
  }

  /** Closes the tab; the one opened before it becomes current. */
  async close(tab: Tab): Promise<void> {
    // What it has asked for and nobody sees yet goes with it.
    await within(
      ASKED_MS,
      closeUnansweredTabs(tab).catch(() => undefined),
      undefined,
    );
    await closePage(tab);
  }

  /**
   * Gives `use` a tab with the session's cookies that no list shows, and closes it at the end, or soon after the call
   * has ended. Its dialogs are dismissed, the tabs it opens closed, and its downloads are left to `use`.
   */
  async inThrowAwayTab<T>({ holder, signal }: ThrowAwayUse, use: (tab: Tab) => Promise<T>): Promise<T> {
    const tab = this.#adoptNow(await this.#opened.open(this.context));
    this.#throwAway.add(tab);
    this.#tabs.delete(tab.id);
    return await thenClosed(tab, signal, async () => {
      await this.#hand(tab, holder);
      await this.#preparing.get(tab);
      return await abortable(use(tab), this.#transfers.signal);
    });
  }

  /** The browser's network process died: it tells nobody of what had not come by then. */
  cutTransfers(): void {
    const message = "The transfer was cut off: the browser's network process died";
    this.#transfers.abort(new BrowseError("navigation_failed", message, { hint: "Try again; nothing was kept" }));
    this.#transfers = new AbortController();
  }

  /**
   * Puts another context in the place of this one, all at once. Tabs go on in the page that names them, with their ids;
   * those that none names close, and pages that name none become new tabs. The old context is closed.
   */
  async replaceContext(context: BrowserContext, pages: readonly PreparedPage[]): Promise<void> {
    const old = this.#context;
    this.#context = context;
    this.#follow(context);
    for (const prepared of pages) {
      const { page, tab } = prepared;
      if (!tab) this.#adoptNow(page, prepared);
      else {
        this.#byPage.set(page, tab);
        this.#keepDownloads(page, tab);
        tab.moveTo(prepared);
      }
    }
    // What the pages have opened while they were prepared.
    for (const page of context.pages()) this.#adoptNow(page);
    await old.close();
  }

  #follow(context: BrowserContext): void {
    context.on("page", (page) => {
      const adopting = this.#adopt(page).catch(async (error: unknown) => await this.#refuse(page, error));
      this.#adopting.set(page, adopting);
    });
    context.on("response", (response) => noteUnseenAnswer(this.tabs, response));
    this.#serviceWorkers.follow(context);
    context.once("close", () => {
      if (context !== this.#context) return;
      this.events.emit("ended");
      this.#options.onClosed?.();
    });
  }

  async #adopt(page: Page): Promise<void> {
    if (page.isClosed() && this.tabs.some(takeGivenUp)) return;
    if (this.#revivals.isOpening && (await this.#revivals.includes(page))) return;
    const tab = this.#adoptNow(page);
    const from = await this.#openerOf(page);
    if (this.#throwAway.has(tab)) return;
    // What a page opens belongs to whoever its tab belongs to.
    if (from) await this.#handOn(tab, from);
    if (from && (this.#throwAway.has(from) || !this.#popUps.admit(tab, from))) return await this.#drop(tab);
    if (from && isForFile(page)) {
      from.events.emit("openedForFile");
      return await this.#drop(tab);
    }
    tab.report("page", { event: "opened", url: redactUrl(page.url()), ...(from && { opener: from.id }) });
    from?.events.emit("opened", tab);
  }

  /** The tab whose page has asked for this one. */
  async #openerOf(page: Page): Promise<Tab | undefined> {
    const opener = await page.opener().catch(() => null);
    if (opener) return this.#byPage.get(opener);
    const guarded = await this.#options.guard?.openerOf(page);
    if (guarded || !this.#requester || (await this.#opened.includes(page))) return guarded;
    const target = await openerTargetOf(page).catch(() => undefined);
    for (const tab of target === undefined ? [] : this.tabs) if ((await targetOfPage(tab.page)) === target) return tab;
    // With Control held on a link, nobody knows but who heard it.
    const requester = this.#requester;
    this.#requester = undefined;
    return requester;
  }

  /** One that cannot be kept to its rules is not kept. */
  async #refuse(page: Page, error: unknown): Promise<void> {
    this.#options.onFault?.("A tab that a page opened was closed: it could not be taken in", error);
    await page.close().catch(() => undefined);
  }

  /** From now on the tab is the holder's, and loads by its rules. */
  async #hand(tab: Tab, holder: Token): Promise<void> {
    tab.holder = holder;
    await this.#options.guard?.protect(tab, holder);
  }

  async #handOn(tab: Tab, from: Tab): Promise<void> {
    tab.holder ??= from.holder;
    // A pop-up closes as quickly as it opens.
    await this.#options.guard?.inherit(tab, from).catch((error: unknown) => {
      if (translateDriverError(error).kind !== "tab_gone") throw error;
    });
  }

  /** A throw-away tab has opened it, or one that opens too many, or it came for a file. */
  async #drop(tab: Tab): Promise<void> {
    this.#tabs.delete(tab.id);
    await closePage(tab);
  }

  #adoptNow(page: Page, prepared?: PreparedPage): Tab {
    const known = this.#byPage.get(page);
    if (known) return known;
    const id = prepared?.id ?? this.#options.nextTabId();
    const place = { session: this.name, tab: id };
    const tab: Tab = new Tab(page, {
      id,
      session: this.name,
      dialogPolicy: () => (this.#throwAway.has(tab) ? "dismiss" : this.dialogPolicy),
      ownHeaders: () => this.emulation.headers,
      cpu: () => this.emulation.settings.cpu ?? 1,
      onOpening: (url) => this.#options.guard?.opening(tab, url),
      report: (topic, data) => {
        // Nobody has been told that it is there.
        if (!this.#throwAway.has(tab)) this.#options.report?.(topic, data, place);
      },
    });
    this.#visitors.claim(tab);
    this.#byPage.set(page, tab);
    this.#tabs.set(tab.id, tab);
    noteAskedTabs(tab);
    tab.events.on("tabRequested", () => {
      this.#requester = tab;
    });
    tab.events.once("closed", () => this.#forget(tab));
    this.#keepDownloads(page, tab);
    if (!prepared) this.#preparing.set(tab, this.#prepare(tab));
    this.#options.onTab?.(tab);
    return tab;
  }

  /** Commands on the tab wait until it is like the others of the session. */
  async #prepare(tab: Tab): Promise<void> {
    if (!this.emulation.isSet) return;
    const release = await tab.lock.acquire(NEVER);
    try {
      await this.emulation.prepare(tab);
    } catch (error) {
      // Pop-ups close as quickly as they open.
      if (translateDriverError(error).kind !== "tab_gone")
        this.#options.onFault?.(`Tab ${tab.id} does not take what its session emulates`, error);
    } finally {
      release();
    }
  }

  #keepDownloads(page: Page, tab: Tab): void {
    page.on("download", async (download) => {
      // Whose it is decides whether it is kept.
      await this.#adopting.get(page);
      if (this.#throwAway.has(tab)) return;
      const { signal } = this.#transfers;
      await keepDownload(tab, download, { ...this.#options, budget: this.#downloads, signal });
    });
  }

  #forget(tab: Tab): void {
    this.#tabs.delete(tab.id);
    void this.#renewEmulation();
    if (this.#requester === tab) this.#requester = undefined;
    this.#currentTabs.forget(tab, this.tabs);
  }

  async #renewEmulation(): Promise<void> {
    try {
      await this.emulation.renew();
    } catch (error) {
      this.#options.onFault?.(`Session "${this.name}" has lost a part of what it emulates`, error);
    }
  }
}

/** It has become a download before it had a document. */
function isForFile(page: Page): boolean {
  return page.url() === "" && !page.isClosed();
}
