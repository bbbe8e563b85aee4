/** A session: one cookie jar, its tabs, and which of them is current. */

import { EventEmitter } from "node:events";
import { tmpdir } from "node:os";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright";
import { abortable, within } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import type { Token } from "../../security/tokens/token.ts";
import { ServiceWorkers } from "../capture/service_workers.ts";
import type { History } from "../navigation/replay_history.ts";
import { StateOf } from "../state_of.ts";
import { type ClosingOptions, closePage } from "../tabs/close_page.ts";
import { closeComingTabs } from "../tabs/coming_tabs.ts";
import type { DialogPolicy } from "../tabs/dialogs.ts";
import { reviveIn } from "../tabs/revive.ts";
import type { Tab } from "../tabs/tab.ts";
import { SharedLock } from "../tabs/tab_lock.ts";
import { type ThrowAwayUse, thenClosed } from "../tabs/throw_away.ts";
import { AdoptedPages } from "./adopted_pages.ts";
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
  readonly #pages: AdoptedPages;
  /** Tabs that are on their way. */
  readonly #openings = new Set<{ holder: string; hasLeft: boolean }>();
  readonly #currentTabs = new CurrentTabs();
  readonly #visitors = new Visitors(this);
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
    this.#pages = new AdoptedPages(this, options, {
      onTaken: (tab) => this.#visitors.claim(tab),
      onClosed: (tab) => this.#forget(tab),
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
    return this.#pages.tabs;
  }

  /** The tab that commands of `holder` mean when they name none; of those who may use all tabs when absent. */
  current(holder?: Token): Tab | undefined {
    return this.#currentTabs.current(holder);
  }

  find(id: string): Tab | undefined {
    return this.#pages.find(id);
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
    const tab = await this.newTabAside(holder);
    seat(tab);
    return tab;
  }

  /** The same, and the current tab stays the current one. */
  async newTabAside(holder: Token): Promise<Tab> {
    const opening = { holder: holder.id, hasLeft: false };
    this.#openings.add(opening);
    const release = await this.lock.share(NEVER);
    try {
      const tab = await this.#visitors.receive(holder, async () => await this.#pages.open(holder));
      if (opening.hasLeft) {
        await this.close(tab);
        throw new BrowseError("tab_gone", `Tab ${tab.id} has been closed: who asked for it has left`);
      }
      return tab;
    } finally {
      this.#openings.delete(opening);
      release();
    }
  }

  /** Opens a crashed tab again, at its address but with nothing loaded. To be called by whoever holds the tab's lock. */
  async revive(tab: Tab, signal: AbortSignal, history?: History): Promise<void> {
    const page = await this.#pages.openFor(tab);
    const prepare = async (urls: readonly string[]) => await this.preparePage(page, urls, tab);
    await reviveIn(tab, { page, emulation: this.emulation, history, prepare, signal });
  }

  /** Makes the tab the one that commands of `holder` mean when they name none. */
  select(tab: Tab, holder?: Token): void {
    this.#currentTabs.select(tab, holder);
  }

  /**
   * The holder comes no more: closes the tabs that were opened for it, and those that are being opened as soon as they are there.
   * Never rejects: what cannot be closed is gone.
   */
  async leave(holder: Token): Promise<void> {
    for (const opening of this.#openings) opening.hasLeft ||= opening.holder === holder.id;
    const own = this.tabs.filter((tab) => tab.holder?.id === holder.id);
    await Promise.allSettled(own.map(async (tab) => await this.close(tab)));
    this.#currentTabs.leave(holder);
  }

  /** Closes the tab; the one opened before it becomes current. */
  async close(tab: Tab, options: ClosingOptions = {}): Promise<void> {
    // What it has asked for and nobody sees yet goes with it.
    await within(
      ASKED_MS,
      closeComingTabs(tab).catch(() => undefined),
      undefined,
    );
    await closePage(tab, options);
  }

  /**
   * Gives `use` a tab with the session's cookies that no list shows, and closes it at the end, or soon after the call
   * has ended. Its dialogs are dismissed, the tabs it opens closed, and its downloads are left to `use`.
   */
  async inThrowAwayTab<T>({ holder, signal }: ThrowAwayUse, use: (tab: Tab) => Promise<T>): Promise<T> {
    const tab = await this.#pages.openHidden();
    return await thenClosed(tab, signal, async () => {
      await this.#pages.giveTo(tab, holder);
      return await abortable(use(tab), this.#pages.transfers);
    });
  }

  /** The browser's network process died: it tells nobody of what had not come by then. */
  cutTransfers(): void {
    const message = "The transfer was cut off: the browser's network process died";
    this.#pages.cutTransfers(new BrowseError("navigation_failed", message, { hint: "Try again; nothing was kept" }));
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
      if (!tab) this.#pages.take(page, prepared);
      else {
        this.#pages.moveInto(page, tab);
        tab.moveTo(prepared);
      }
    }
    // What the pages have opened while they were prepared.
    for (const page of context.pages()) this.#pages.take(page);
    await old.close();
  }

  #follow(context: BrowserContext): void {
    this.#pages.follow(context);
    this.#serviceWorkers.follow(context);
    context.once("close", () => {
      if (context !== this.#context) return;
      this.events.emit("ended");
      this.#options.onClosed?.();
    });
  }

  #forget(tab: Tab): void {
    void this.#renewEmulation();
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
