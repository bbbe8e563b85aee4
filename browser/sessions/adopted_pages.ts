/** The pages of a session as its tabs: which tab a page is, whose one becomes that appears, and which are not kept. */
import type { BrowserContext, Page } from "playwright";
import type { BrowseError } from "../../errors.ts";
import { redactUrl } from "../../security/secrets/redact.ts";
import type { Token } from "../../security/tokens/token.ts";
import { keepDownload } from "../download/keep_download.ts";
import { translateDriverError } from "../driver/errors.ts";
import { hasTurnedIntoFile, openerInside, targetInside } from "../driver/unseen_page.ts";
import { DownloadBudget } from "../limits/download_budget.ts";
import { closePage } from "../tabs/close_page.ts";
import { ComingTabs, closeComingTabs, noteGone } from "../tabs/coming_tabs.ts";
import { OpenedHere } from "../tabs/open_page.ts";
import { PopUps } from "../tabs/pop_ups.ts";
import { Tab } from "../tabs/tab.ts";
import type { Session } from "./session.ts";
import type { PreparedPage, SessionOptions } from "./session_options.ts";

/** Of waits that nobody calls off. */
const NEVER = new AbortController().signal;

export interface AdoptionPorts {
  /** A tab is there, and in no list yet. */
  onTaken: (tab: Tab) => void;
  /** It is closed, and in no list any more. */
  onClosed: (tab: Tab) => void;
}

export class AdoptedPages {
  readonly #session: Session;
  readonly #options: SessionOptions;
  readonly #ports: AdoptionPorts;
  readonly #tabs = new Map<string, Tab>();
  readonly #byPage = new WeakMap<Page, Tab>();
  /** Settles when the tab is like the others of the session. Never rejects. */
  readonly #preparing = new WeakMap<Tab, Promise<void>>();
  /** Settles when it is known whose the page is that another has opened. Never rejects. */
  readonly #adopting = new WeakMap<Page, Promise<void>>();
  /** The tab whose page last asked for a tab: the one without an opener that comes next is its. */
  #requester: Tab | undefined;
  /** Of tabs that pages have opened. */
  readonly #openers = new WeakMap<Tab, Tab>();
  /** Tabs of ours, which nobody but `inThrowAwayTab` knows of. */
  readonly #throwAway = new WeakSet<Tab>();
  readonly #popUps = new PopUps();
  readonly #coming = new ComingTabs({
    tabs: () => this.tabs,
    onTooMany: (tab) => {
      closeComingTabs(tab).catch(() => undefined);
      this.#popUps.noteGone(tab);
    },
  });
  readonly #downloads = new DownloadBudget();
  /** Aborted when nothing more comes of what is being transferred. */
  #transfers = new AbortController();
  /** In which crashed tabs go on: none of them is a tab of its own. */
  readonly #revivals = new OpenedHere();
  readonly #opened = new OpenedHere();

  constructor(session: Session, options: SessionOptions, ports: AdoptionPorts) {
    this.#session = session;
    this.#options = options;
    this.#ports = ports;
  }

  get tabs(): Tab[] {
    return [...this.#tabs.values()];
  }

  find(id: string): Tab | undefined {
    return this.#tabs.get(id);
  }

  /** Takes in what appears in the context. */
  follow(context: BrowserContext): void {
    context.on("page", (page) => {
      const adopting = this.#adopt(page).catch(async (error: unknown) => await this.#refuse(page, error));
      this.#adopting.set(page, adopting);
    });
    this.#coming.follow(context);
  }

  /** Of what is being transferred now; aborted when nothing more comes of it. */
  get transfers(): AbortSignal {
    return this.#transfers.signal;
  }

  cutTransfers(reason: BrowseError): void {
    this.#transfers.abort(reason);
    this.#transfers = new AbortController();
  }

  /** A new tab of `holder`, like the others of the session. */
  async open(holder: Token): Promise<Tab> {
    const tab = this.take(await this.#opened.open(this.#session.context));
    await this.giveTo(tab, holder);
    return tab;
  }

  /** A new tab that no list shows. It is nobody's, and not like the others, until it is given to somebody. */
  async openHidden(): Promise<Tab> {
    const tab = this.take(await this.#opened.open(this.#session.context));
    this.#throwAway.add(tab);
    this.#tabs.delete(tab.id);
    return tab;
  }

  /** The page in which a crashed tab is to go on. */
  async openFor(tab: Tab): Promise<Page> {
    const page = await this.#revivals.open(this.#session.context);
    this.moveInto(page, tab);
    return page;
  }

  /** From now on the page is the tab's. */
  moveInto(page: Page, tab: Tab): void {
    this.#byPage.set(page, tab);
    this.#keepDownloads(page, tab);
  }

  /** From now on the tab is the holder's, and loads by its rules. Resolves when it is like the others of the session. */
  async giveTo(tab: Tab, holder: Token): Promise<void> {
    tab.holder = holder;
    await this.#options.guard?.protect(tab, holder);
    await this.#preparing.get(tab);
  }

  /** The tab of the page; a new one when it has none. */
  take(page: Page, prepared?: PreparedPage): Tab {
    const known = this.#byPage.get(page);
    if (known) return known;
    const tab = this.#makeTab(page, prepared?.id ?? this.#options.nextTabId());
    this.#ports.onTaken(tab);
    this.#byPage.set(page, tab);
    this.#tabs.set(tab.id, tab);
    this.#coming.followTab(tab);
    tab.events.on("tabRequested", () => {
      this.#requester = tab;
    });
    tab.events.on("tabAnsweredEmpty", () => this.#popUps.noteGone(tab));
    tab.events.once("closed", () => this.#forget(tab));
    this.#keepDownloads(page, tab);
    if (!prepared) this.#preparing.set(tab, this.#prepare(tab));
    this.#options.onTab?.(tab);
    return tab;
  }

  #makeTab(page: Page, id: string): Tab {
    const session = this.#session;
    const place = { session: session.name, tab: id };
    const tab: Tab = new Tab(page, {
      id,
      session: session.name,
      dialogPolicy: () => (this.#throwAway.has(tab) ? "dismiss" : session.dialogPolicy),
      ownHeaders: () => session.emulation.headers,
      cpu: () => session.emulation.settings.cpu ?? 1,
      onOpening: (url) => this.#options.guard?.opening(tab, url),
      report: (topic, data) => {
        // Nobody has been told that it is there.
        if (!this.#throwAway.has(tab)) this.#options.report?.(topic, data, place);
      },
    });
    return tab;
  }

  async #adopt(page: Page): Promise<void> {
    if (this.#revivals.isOpening && (await this.#revivals.includes(page))) return;
    const { from: asker, request, failed } = this.#coming.take(targetInside(page) ?? "");
    // The driver tells of those, too, that have closed before they came.
    if (page.isClosed()) return this.#noteGone(asker ?? (await this.#openerByDriver(page)));
    const tab = this.take(page);
    if (failed && page.url().startsWith("chrome-error:")) tab.pendingNavigation.noteUnshown(failed);
    // The browser tells of some at once, with what they are for still to come.
    else if (request && page.url() === "about:blank") tab.pendingNavigation.noteSent(request);
    const from = asker ?? (await this.#openerOf(page));
    if (this.#throwAway.has(tab)) return;
    // What a page opens belongs to whoever its tab belongs to, and to nobody when that is gone.
    if (from === "gone") return await this.#drop(tab);
    if (from) await this.#handOn(tab, from);
    if (from && (this.#throwAway.has(from) || !this.#popUps.admit(tab, from))) return await this.#drop(tab);
    if (from && hasTurnedIntoFile(page)) return await this.#dropForFile(tab, from);
    if (from) this.#openers.set(tab, from);
    tab.report("page", { event: "opened", url: redactUrl(page.url()), ...(from && { opener: from.id }) });
    from?.events.emit("opened", tab);
  }

  #noteGone(from: Tab | undefined): void {
    if (!from || !noteGone(from)) return;
    this.#popUps.noteGone(from);
    from.events.emit("openedInVain", { for: "nothing" });
  }

  /** The tab whose page has asked for this one; "gone" when there was such a page and it is no tab's any more. */
  async #openerOf(page: Page): Promise<Tab | "gone" | undefined> {
    const known = await this.#openerByDriver(page);
    if (known) return known;
    const guarded = await this.#options.guard?.openerOf(page);
    if (guarded || (await this.#opened.includes(page))) return guarded;
    const target = openerInside(page);
    if (target !== undefined) return this.#tabWith(target) ?? "gone";
    // With Control held on a link, nobody knows but who heard it.
    const requester = this.#requester;
    this.#requester = undefined;
    return requester;
  }

  async #openerByDriver(page: Page): Promise<Tab | undefined> {
    const opener = await page.opener().catch(() => null);
    return opener ? this.#byPage.get(opener) : undefined;
  }

  #tabWith(target: string | undefined): Tab | undefined {
    return target === undefined ? undefined : this.tabs.find(({ page }) => targetInside(page) === target);
  }

  /** One that cannot be kept to its rules is not kept. */
  async #refuse(page: Page, error: unknown): Promise<void> {
    this.#options.onFault?.("A tab that a page opened was closed: it could not be taken in", error);
    await page.close().catch(() => undefined);
  }

  async #handOn(tab: Tab, from: Tab): Promise<void> {
    tab.holder ??= from.holder;
    // A pop-up closes as quickly as it opens.
    await this.#options.guard?.inherit(tab, from).catch((error: unknown) => {
      if (translateDriverError(error).kind !== "tab_gone") throw error;
    });
  }

  /** As browsers with a window do. */
  async #dropForFile(tab: Tab, from: Tab): Promise<void> {
    from.events.emit("openedInVain", { for: "file", tab });
    await this.#drop(tab);
  }

  /** A throw-away tab has opened it, or one that opens too many, or that is gone; or it came for a file. */
  async #drop(tab: Tab): Promise<void> {
    this.#tabs.delete(tab.id);
    await closePage(tab);
  }

  /** Commands on the tab wait until it is like the others of the session. */
  async #prepare(tab: Tab): Promise<void> {
    const { emulation } = this.#session;
    if (!emulation.isSet) return;
    const release = await tab.lock.acquire(NEVER);
    try {
      await emulation.prepare(tab);
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
      // Whoever had it opened has asked for the file, and nobody for a blank tab.
      const from = tab.navigationsOf(page.mainFrame()) === 0 ? this.#openers.get(tab) : undefined;
      const kept = keepDownload(from ?? tab, download, { ...this.#options, budget: this.#downloads, signal });
      if (from) void this.#dropForFile(tab, from);
      await kept;
    });
  }

  #forget(tab: Tab): void {
    this.#tabs.delete(tab.id);
    if (this.#requester === tab) this.#requester = undefined;
    this.#ports.onClosed(tab);
  }
}
