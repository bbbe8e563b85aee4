/**
 * Keeps tabs to the rules of those they were opened for, whatever sends them elsewhere: a redirect, a link, a script, a
 * refresh, a frame, a pop-up. Tabs without rules are slowed by nothing: of those, only the addresses are looked at that
 * answers came from.
 */
import type { Page, Request, Response } from "playwright";
import { BrowseError } from "../../errors.ts";
import type { Canary } from "../../security/content/canary.ts";
import { redactUrl } from "../../security/secrets/redact.ts";
import type { Token } from "../../security/tokens/token.ts";
import { classifyHost } from "../../security/urls/host.ts";
import { limitsLoads, loadRules } from "../../security/urls/load_rules.ts";
import type { FileLoads } from "../../security/urls/opened_files.ts";
import { checkRequestUrl, checkResolvedAddress } from "../../security/urls/url_policy.ts";
import type { RefusedLoad } from "../navigation/refused_loads.ts";
import type { Tab } from "../tabs/tab.ts";
import { FirstLoads } from "./first_loads.ts";
import { guardPage, type Refused } from "./guarded_page.ts";
import { GuardedTab, leave } from "./guarded_tab.ts";
import { DOCUMENTS, distinct, PageRules, type TokenRules } from "./page_rules.ts";
import { inlineTexts, type SentRequest, withoutLeak } from "./sent_request.ts";
import { hasFrame, targetOfPage } from "./target_id.ts";

export interface LoadGuardOptions {
  /** Names are looked up at a proxy: what they are called here, and where answers come from, says nothing. */
  resolvedElsewhere: () => boolean;
  /** What the files are held to that pages load. */
  files: FileLoads;
  /** The hosts that are closed to everyone. */
  denied: DeniedHosts;
  /** What nothing that the holder's tabs ask for may carry. */
  canaryOf: (holder: Token) => Canary | undefined;
  onRefused: (tab: Tab, load: RefusedLoad) => void;
}

/** What the user's policy says of documents, whoever's. */
export interface DeniedHosts {
  /** Is there any such host? */
  isSet(): boolean;
  denies(url: string): boolean;
}

interface PreparedLoads {
  /** The one that goes on in the page, unless it becomes a new one. */
  tab: Tab | undefined;
  /** Whose it will be. */
  holder: Token | undefined;
  urls: readonly string[];
}

/** What scripts can read of an answer, or show. */
const READABLE = new Set(["document", "xhr", "fetch", "eventsource"]);

export class LoadGuard {
  readonly #options: LoadGuardOptions;
  readonly #open = new Set<Tab>();
  readonly #tabs = new Map<Tab, GuardedTab>();
  readonly #lent = new Map<string, Set<GuardedTab>>();
  readonly #firstLoads: FirstLoads;
  /** Of pages that are to become tabs. */
  readonly #prepared = new WeakMap<Page, PageRules>();

  constructor(options: LoadGuardOptions) {
    this.#options = options;
    this.#firstLoads = new FirstLoads({
      guarded: (target) => [...this.#tabs.values()].find(({ targets }) => targets.has(target)),
      checkDocument: (url) => this.#checkDenied(url),
      checkSent: (request) => this.#checkSent(request),
      onRefused: async (frame, load) => await this.#tellOwner(frame, load),
    });
  }

  /** Looks at where the answers come from that the tab gets, and at what it asked for in vain. */
  watch(tab: Tab): void {
    const follow = (page: Page) => {
      page.on("response", (response) => this.#look(tab, response));
      page.on("requestfailed", (request) => this.#failed(tab, request));
    };
    follow(tab.page);
    this.#open.add(tab);
    const prepared = this.#prepared.get(tab.page);
    if (prepared) this.#guarded(tab).rules.include(prepared);
    tab.events.on("moved", ({ to }) => follow(to));
    tab.events.on("navigated", (frame) => {
      // Whoever sends a tab to a file has it guarded first.
      if (/^file:/i.test(frame.url())) this.#guarded(tab).arrived(frame.url());
    });
    tab.events.once("closed", () => void this.#forget(tab).catch(() => undefined));
  }

  /** What is closed to everyone has changed; resolves when it holds. */
  async renew(): Promise<void> {
    const [tab] = this.#open;
    if (tab) await this.#pauseFor(tab.page);
  }

  /** From now on the tab loads by the token's rules too; resolves when they hold. */
  async protect(tab: Tab, token: Token): Promise<void> {
    const rules = this.#rulesOf(token);
    const isLent = tab.holder?.id !== token.id;
    const isFree = rules.filesKept && !rules.canary && !limitsLoads(rules);
    if (isFree && !(isLent && rules.fileRoots)) return await this.#pauseFor(tab.page);
    const guarded = this.#guarded(tab);
    if (isLent) this.#lentTo(token).add(guarded);
    if (!guarded.rules.add(token.id, rules)) return await guarded.held();
    // Until here its owner could go where the token may not.
    if (isLent) tab.forgetPast();
    await this.#lay(guarded);
  }

  /** A caller sends the tab there, and may: of files, those around it are open to its pages. */
  async opening(tab: Tab, url: string): Promise<void> {
    if (!/^file:/i.test(url)) return;
    const guarded = this.#guarded(tab);
    guarded.rules.files.open(url);
    if (tab.holder) guarded.rules.add(tab.holder.id, this.#rulesOf(tab.holder));
    await this.#pauseFor(tab.page);
    await guarded.hold();
  }

  /** The page is to load these, and to become that tab, or one of the holder's: by the same rules from the beginning. */
  async prepare(page: Page, { tab, holder, urls }: PreparedLoads): Promise<void> {
    const known = tab && this.#tabs.get(tab);
    await this.#pauseFor(page);
    if (tab) return await known?.hold(page);
    const rules = this.#newRules(() => undefined);
    if (holder) rules.add(holder.id, this.#rulesOf(holder));
    rules.files.openAllowed(urls);
    if (rules.patterns.length === 0) return;
    this.#prepared.set(page, rules);
    const guarded = await guardPage(page, { rules, refuse: () => {}, onTabRequested: () => {} });
    await guarded.hold();
  }

  /** The tab whose page has opened this one, of those with rules. Never rejects: one that has closed needs none. */
  async openerOf(page: Page): Promise<Tab | undefined> {
    if (!this.#firstLoads.isPausing) return undefined;
    const target = await targetOfPage(page).catch(() => undefined);
    return target === undefined ? undefined : this.#firstLoads.openerOf(target)?.tab;
  }

  /** A tab that another has opened loads by the same rules. */
  async inherit(tab: Tab, from: Tab): Promise<void> {
    const others = this.#tabs.get(from)?.rules;
    if (others) {
      const guarded = this.#guarded(tab);
      guarded.rules.include(others);
      await this.#lay(guarded);
    }
    if (this.#firstLoads.isPausing) await this.#firstLoads.release(await targetOfPage(tab.page));
  }

  /** The token is gone: tabs of others that it used are as they were. */
  release({ id }: Token): void {
    for (const guarded of this.#lent.get(id) ?? []) guarded.rules.remove(id);
    this.#lent.delete(id);
  }

  /** May the tab have this, which no request of its own was seen for? Throws `blocked_url`. */
  async check(tab: Tab, url: string): Promise<void> {
    this.#checkDenied(url);
    await this.#tabs.get(tab)?.rules.check(url, true);
  }

  /** Why nothing may be kept of a file that the tab's pages download; undefined when it may. Whoever works there is told. */
  refusalOfFile(tab: Tab, url: string): BrowseError | undefined {
    // A page without an opener, in a session of the agent's own, has no rules yet.
    const isHolderRemote = tab.holder !== undefined && !loadRules(tab.holder).filesKept;
    if (!isHolderRemote && (this.#tabs.get(tab)?.rules.areFilesKept ?? true)) return undefined;
    const error = new BrowseError("forbidden", "Downloads of pages are not kept for remote agents", {
      hint: "Read it in a page, if the site shows it in one",
      details: { url: redactUrl(url) },
    });
    this.#refuse(tab, { url, error, isMain: false, isLeft: false });
    return error;
  }

  #guarded(tab: Tab): GuardedTab {
    const known = this.#tabs.get(tab);
    if (known) return known;
    const guarded: GuardedTab = new GuardedTab(tab, {
      rules: this.#newRules(() => tab.loaded?.url),
      refuse: (load) => this.#refuse(tab, load),
      onTabRequested: (url) => this.#firstLoads.noteAsked(url, guarded),
    });
    this.#tabs.set(tab, guarded);
    return guarded;
  }

  #rulesOf(token: Token): TokenRules {
    const canary = this.#options.canaryOf(token);
    return { ...loadRules(token), ...(canary && { canary }) };
  }

  #newRules(loadedUrl: () => string | undefined): PageRules {
    const { resolvedElsewhere, files } = this.#options;
    return new PageRules({ resolvedElsewhere, files, loadedUrl });
  }

  /** What the tab shows, and what it asks for from now on, is held against the rules as they are. */
  async #lay(guarded: GuardedTab): Promise<void> {
    guarded.arrived(guarded.tab.page.url());
    await this.#pauseFor(guarded.tab.page);
    await guarded.hold();
    await guarded.framesEmptied();
  }

  async #forget(tab: Tab): Promise<void> {
    this.#open.delete(tab);
    this.#tabs.delete(tab);
    await this.#pauseFor(tab.page);
  }

  /** What tabs ask for before they have rules is paused where there is anyone to open such a tab. */
  async #pauseFor(page: Page): Promise<void> {
    const browser = page.context().browser();
    const patterns = [...this.#tabs.values()].flatMap(({ rules }) => rules.patterns);
    if (this.#options.denied.isSet()) patterns.push(DOCUMENTS);
    if (browser) await this.#firstLoads.pause(browser, distinct(patterns));
  }

  #checkDenied(url: string): void {
    if (!this.#options.denied.denies(url)) return;
    throw new BrowseError("blocked_url", `Cannot open "${redactUrl(url)}": the user's policy denies its host`, {
      hint: "A person can change it in config.json, in ~/.browse and in the project's .browse",
    });
  }

  /** Of whoever it is: a canary is known to nobody but its holder. */
  #checkSent(request: SentRequest): void {
    for (const { tab, rules } of this.#tabs.values()) {
      try {
        if (rules.watchesSent) rules.checkSent(inlineTexts(request));
      } catch (error) {
        this.#refuse(tab, { url: withoutLeak(request.url), error: error as Error, isMain: false, isLeft: false });
        throw error;
      }
    }
  }

  /** The page itself is known by its name; a frame is looked for when it has been refused. */
  async #tellOwner(frame: string, load: Omit<Refused, "isMain">): Promise<void> {
    for (const tab of this.#open) {
      const target = await targetOfPage(tab.page).catch(() => undefined);
      if (target === frame) return this.#refuse(tab, { ...load, isMain: true, isLeft: false });
    }
    void this.#tellOwnerOfFrame(frame, load).catch(() => undefined);
  }

  async #tellOwnerOfFrame(frame: string, load: Omit<Refused, "isMain">): Promise<void> {
    for (const tab of this.#open) {
      if (await hasFrame(tab, frame)) return this.#refuse(tab, { ...load, isMain: false, isLeft: false });
    }
  }

  #lentTo({ id }: Token): Set<GuardedTab> {
    const tabs = this.#lent.get(id) ?? new Set();
    this.#lent.set(id, tabs);
    return tabs;
  }

  #look(tab: Tab, response: Response): void {
    const request = response.request();
    if (this.#options.resolvedElsewhere() || !READABLE.has(request.resourceType())) return;
    const checking = this.#lookAt(tab, response).finally(() => tab.checks.delete(checking));
    tab.checks.add(checking);
  }

  async #lookAt(tab: Tab, response: Response): Promise<void> {
    // A page that has closed shows nothing.
    const from = await response.serverAddr().catch(() => null);
    if (from === null || from.ipAddress === "") return;
    const privateAllowed = this.#tabs.get(tab)?.rules.isPrivateAllowed ?? true;
    try {
      checkResolvedAddress(from.ipAddress, { privateAllowed });
    } catch (error) {
      const isMain = response.request().isNavigationRequest() && response.frame() === tab.page.mainFrame();
      this.#refuse(tab, { url: response.url(), error: error as Error, isMain, isLeft: true });
      await leave(tab);
    }
  }

  /** Hosts of metadata services do not exist for the browser: that somebody was sent there is worth telling. */
  #failed(tab: Tab, request: Request): void {
    const url = request.url();
    if (classifyHost(URL.parse(url)?.hostname ?? "") !== "metadata") return;
    const isMain = request.isNavigationRequest() && request.frame() === tab.page.mainFrame();
    try {
      checkRequestUrl(url);
    } catch (error) {
      this.#refuse(tab, { url, error: error as Error, isMain, isLeft: false });
    }
  }

  #refuse(tab: Tab, load: RefusedLoad): void {
    tab.events.emit("refused", load);
    this.#options.onRefused(tab, load);
  }
}
