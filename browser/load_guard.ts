/**
 * Keeps tabs to the rules of those they were opened for, whatever sends them elsewhere: a redirect, a link, a script, a
 * refresh, a frame, a pop-up. Tabs without rules are slowed by nothing: of those, only the addresses are looked at that
 * answers came from.
 */
import type { CDPSession, Page, Request, Response } from "playwright";
import { BrowseError } from "../rpc/errors.ts";
import { checkHop } from "../security/hop.ts";
import { classifyHost } from "../security/host.ts";
import { assertDomain, type LoadRules, limitsLoads, loadRules } from "../security/load_rules.ts";
import { redactUrl } from "../security/redact.ts";
import type { Token } from "../security/token.ts";
import { checkRequestUrl, checkResolvedAddress } from "../security/url_policy.ts";
import { childFramesOf } from "./child_frames.ts";
import type { CdpCommand } from "./emulation.ts";
import { isLoadedUrl } from "./loaded_html.ts";
import type { RefusedLoad } from "./refused_loads.ts";
import type { Tab } from "./tab.ts";

interface LoadGuardOptions {
  /** Names are looked up at a proxy: what they are called here, and where answers come from, says nothing. */
  resolvedElsewhere: () => boolean;
  onRefused: (tab: Tab, load: RefusedLoad) => void;
}

interface PausedRequest {
  requestId: string;
  request: { url: string };
  resourceType: string;
  frameId: string;
}

type Send = (method: string, params: Record<string, unknown>) => Promise<unknown>;

/** A page that cannot be left by then is hung, and is read by nobody either. */
const LEAVE_MS = 2_000;
const LEAVE_TRIES = 3;
const BLANK = "about:blank";

/** What scripts can read of an answer, or show. */
const READABLE = new Set(["document", "xhr", "fetch", "eventsource"]);

export class LoadGuard {
  readonly #options: LoadGuardOptions;
  readonly #tabs = new WeakMap<Tab, GuardedTab>();
  readonly #lent = new Map<string, Set<GuardedTab>>();

  constructor(options: LoadGuardOptions) {
    this.#options = options;
  }

  /** Looks at where the answers come from that the tab gets, and at what it asked for in vain. */
  watch(tab: Tab): void {
    const follow = (page: Page) => {
      page.on("response", (response) => this.#look(tab, response));
      page.on("requestfailed", (request) => this.#failed(tab, request));
    };
    follow(tab.page);
    tab.events.on("moved", ({ to }) => follow(to));
  }

  /** From now on the tab loads by the token's rules too; resolves when they hold. */
  async protect(tab: Tab, token: Token): Promise<void> {
    const rules = loadRules(token);
    if (rules.filesKept && !limitsLoads(rules)) return;
    const guarded = this.#guarded(tab);
    if (tab.holder?.id !== token.id) this.#lentTo(token).add(guarded);
    await guarded.add(token.id, rules);
  }

  /** A tab that another has opened loads by the same rules. */
  async inherit(tab: Tab, from: Tab): Promise<void> {
    const rules = this.#tabs.get(from)?.rules ?? new Map<string, LoadRules>();
    for (const [id, rule] of rules) await this.#guarded(tab).add(id, rule);
  }

  /** The token is gone: tabs of others that it used are as they were. */
  release({ id }: Token): void {
    for (const guarded of this.#lent.get(id) ?? []) guarded.rules.delete(id);
    this.#lent.delete(id);
  }

  /** May the tab have this, which no request of its own was seen for? Throws `blocked_url`. */
  async check(tab: Tab, url: string): Promise<void> {
    await this.#tabs.get(tab)?.check(url, true);
  }

  /** Why nothing may be kept of a file that the tab's pages download; undefined when it may. Whoever works there is told. */
  refusalOfFile(tab: Tab, url: string): BrowseError | undefined {
    // A page without an opener, in a session of the agent's own, has no rules yet.
    const isHolderRemote = tab.holder !== undefined && !loadRules(tab.holder).filesKept;
    if (!isHolderRemote && (this.#tabs.get(tab)?.areFilesKept ?? true)) return undefined;
    const error = new BrowseError("forbidden", "What a page downloads is not kept for remote agents", {
      hint: "Read it in a page, if the site shows it in one",
      details: { url: redactUrl(url) },
    });
    this.#refuse(tab, { url, error, isMain: false, isLeft: false });
    return error;
  }

  #guarded(tab: Tab): GuardedTab {
    let guarded = this.#tabs.get(tab);
    if (!guarded) {
      const { resolvedElsewhere } = this.#options;
      guarded = new GuardedTab(tab, { resolvedElsewhere, refuse: (load) => this.#refuse(tab, load) });
      this.#tabs.set(tab, guarded);
    }
    return guarded;
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
    const privateAllowed = this.#tabs.get(tab)?.isPrivateAllowed ?? true;
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

interface GuardedTabOptions {
  resolvedElsewhere: () => boolean;
  refuse: (load: RefusedLoad) => void;
}

/** One tab with rules. */
class GuardedTab {
  readonly rules = new Map<string, LoadRules>();
  readonly #tab: Tab;
  readonly #options: GuardedTabOptions;
  #holding: Promise<void> = Promise.resolve();
  #cdp: CDPSession | undefined;
  #mainFrame = "";

  constructor(tab: Tab, options: GuardedTabOptions) {
    this.#tab = tab;
    this.#options = options;
    tab.events.on("navigated", (frame) => {
      if (frame === tab.page.mainFrame()) this.#arrived(frame.url());
    });
    tab.events.on("moved", () => {
      this.#cdp = undefined;
      this.#holding = this.#hold();
      this.#holding.catch(() => undefined);
    });
  }

  get isPrivateAllowed(): boolean {
    return [...this.rules.values()].every(({ privateAllowed }) => privateAllowed);
  }

  get areFilesKept(): boolean {
    return [...this.rules.values()].every(({ filesKept }) => filesKept);
  }

  /** One who comes in by both doors is held to what holds for either. */
  async add(id: string, rules: LoadRules): Promise<void> {
    const known = this.rules.get(id);
    const privateAllowed = rules.privateAllowed && (known?.privateAllowed ?? true);
    const filesKept = rules.filesKept && (known?.filesKept ?? true);
    if (known?.privateAllowed !== privateAllowed || known.filesKept !== filesKept) {
      this.rules.set(id, { ...rules, privateAllowed, filesKept });
      this.#holding = this.#holding.then(() => this.#hold());
      this.#arrived(this.#tab.page.url());
    }
    await this.#holding;
  }

  /** Throws `blocked_url`. Domains limit documents; where parts of them may come from is limited by address alone. */
  async check(url: string, isDocument: boolean): Promise<void> {
    if (isLoadedUrl(url) && url === this.#tab.loaded?.url) return;
    const resolvedElsewhere = this.#options.resolvedElsewhere();
    for (const { domains, privateAllowed } of this.rules.values()) {
      await checkHop(url, { privateAllowed, resolvedElsewhere, ...(isDocument && domains && { domains }) });
    }
  }

  async #hold(): Promise<void> {
    if (![...this.rules.values()].some(limitsLoads)) return;
    const patterns = this.isPrivateAllowed ? [{ urlPattern: "*", resourceType: "Document" }] : [{ urlPattern: "*" }];
    this.#cdp ??= await this.#open();
    await this.#cdp.send("Fetch.enable", { patterns } as never);
    const pausing: CdpCommand[] = [["Fetch.enable", { patterns }]];
    await childFramesOf(this.#cdp).tell(pausing, pausing);
  }

  async #open(): Promise<CDPSession> {
    const { page } = this.#tab;
    const cdp = await page.context().newCDPSession(page);
    const send: Send = (method, params) => cdp.send(method as "Fetch.enable", params as never);
    const { frameTree } = await cdp.send("Page.getFrameTree");
    this.#mainFrame = frameTree.frame.id;
    cdp.on("Fetch.requestPaused", (event) => void this.#decide(event as PausedRequest, send));
    childFramesOf(cdp).onEvent = (method, event, reply) => {
      if (method === "Fetch.requestPaused") void this.#decide(event as PausedRequest, reply);
    };
    // A worker of the site could answer without asking anybody.
    await cdp.send("Network.enable");
    await cdp.send("Network.setBypassServiceWorker", { bypass: true });
    return cdp;
  }

  async #decide({ requestId, request, resourceType, frameId }: PausedRequest, send: Send): Promise<void> {
    const isDocument = resourceType === "Document";
    try {
      await this.check(request.url, isDocument);
      await send("Fetch.continueRequest", { requestId });
    } catch (error) {
      // The page stays as it is. A frame or a tab that has gone meanwhile needs no answer.
      await send("Fetch.failRequest", { requestId, errorReason: isDocument ? "Aborted" : "BlockedByClient" }).catch(
        () => undefined,
      );
      const isMain = isDocument && frameId === this.#mainFrame;
      if (isRefusal(error)) this.#options.refuse({ url: request.url, error, isMain, isLeft: false });
    }
  }

  /** What was under way before the rules were, and what the history has, asks for nothing. */
  #arrived(url: string): void {
    const refusal = [...this.rules.values()].flatMap(({ domains }) => refusalOf(url, domains));
    if (refusal[0] === undefined || (isLoadedUrl(url) && url === this.#tab.loaded?.url)) return;
    const { checks } = this.#tab;
    this.#options.refuse({ url, error: refusal[0], isMain: true, isLeft: true });
    const leaving = leave(this.#tab).finally(() => checks.delete(leaving));
    checks.add(leaving);
  }
}

function refusalOf(url: string, domains: LoadRules["domains"]): Error[] {
  try {
    assertDomain(url, domains);
    return [];
  } catch (error) {
    return [error as Error];
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "kind" in error && error.kind === "blocked_url";
}

/** The tab shows nothing of where it has been. One that has closed does so already. */
async function leave(tab: Tab): Promise<void> {
  const { page } = tab;
  for (let tries = 1; tries <= LEAVE_TRIES && tab.isOpen; tries++) {
    // What was about to be shown may come in between, and is left in turn.
    await page.goto(BLANK, { waitUntil: "commit", timeout: LEAVE_MS }).catch(() => undefined);
    if (page.url() === BLANK) return;
    await page.waitForURL(BLANK, { waitUntil: "commit", timeout: LEAVE_MS / LEAVE_TRIES }).catch(() => undefined);
  }
}
