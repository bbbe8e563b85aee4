/** One page whose requests wait for a decision, and those of the frames in it. */
import type { CDPSession, Page } from "playwright";
import { childFramesOf, type Send } from "../emulation/child_frames.ts";
import type { CdpCommand } from "../emulation/emulation.ts";
import type { PageRules } from "./page_rules.ts";
import { isLeak, type SentRequest, sentOnSocket, sentTexts, withoutLeak } from "./sent_request.ts";
import { type FrameTree, idsIn, targetOf } from "./target_id.ts";

export interface PausedRequest {
  requestId: string;
  request: SentRequest;
  resourceType: string;
  frameId: string;
  /** What the `Network` domain calls it. */
  networkId?: string;
}

/** A load that was refused, as far as its page knows. */
export interface Refused {
  url: string;
  error: Error;
  isMain: boolean;
  /** It was told when it had gone already: whatever sent it is to send no more. */
  hasGone?: true;
}

export interface GuardedPageOptions {
  rules: PageRules;
  refuse: (load: Refused) => void;
  /** Nobody has seen it yet: a first document that is refused has to end in a page, or it would never become a tab. */
  isNew?: true;
  /** Told where a page wants a tab to go that does not know who opened it. */
  onTabRequested: (url: string) => void;
}

/** A CDP session with a page, and with the frames of it that other processes draw. */
export interface PageSession {
  send: Send;
  /** Told of every event of it and of the frames below. */
  onEvent: ((method: string, event: unknown, reply: Send) => void) | undefined;
  /** Sends these to the page and its frames, `setup` to frames that come. */
  tell(changes: readonly CdpCommand[], setup: readonly CdpCommand[]): Promise<void>;
  detach(): Promise<void>;
}

export class GuardedPage {
  /** Of its main frame, which is the name of the page itself as well. */
  readonly id: string;
  readonly #session: PageSession;
  readonly #options: GuardedPageOptions;
  #isBypassing = false;

  constructor(id: string, session: PageSession, options: GuardedPageOptions) {
    this.id = id;
    this.#session = session;
    this.#options = options;
    session.onEvent = (method, event, reply) => {
      if (method === "Fetch.requestPaused") void this.#decide(event as PausedRequest, reply);
      if (method === "Page.frameRequestedNavigation") this.#hear(event as { url: string; disposition: string });
      if (method.startsWith("Network.webSocket")) this.#look(event);
    };
  }

  /** From now on its requests wait for what the rules say; resolves when they do. */
  async hold(): Promise<void> {
    await this.#pause();
    await this.#follow();
  }

  /**
   * The same for a page that is on its way to its first document: while that is held, it answers nothing that its
   * process has to be asked for. Resolves when its own requests wait; the rest follows.
   */
  async holdFirst(): Promise<void> {
    await this.#pause();
    this.#follow().catch(() => undefined);
  }

  async #pause(): Promise<void> {
    await this.#session.send("Fetch.enable", { patterns: this.#options.rules.patterns });
  }

  async #follow(): Promise<void> {
    const { patterns, isLimited, watchesSent } = this.#options.rules;
    // A worker of the site could answer without asking anybody.
    if (isLimited && !this.#isBypassing) {
      this.#isBypassing = true;
      await this.#session.send("Network.enable", {});
      await this.#session.send("Network.setBypassServiceWorker", { bypass: true });
    }
    const setup: CdpCommand[] = [
      ...(watchesSent ? [["Network.enable", {}] satisfies CdpCommand] : []),
      ["Fetch.enable", { patterns }],
      ["Page.enable", {}],
    ];
    await this.#session.tell(setup, setup);
  }

  /** The frames that its process draws now. */
  async frames(): Promise<string[]> {
    const { frameTree } = (await this.#session.send("Page.getFrameTree", {})) as { frameTree: FrameTree };
    return idsIn(frameTree);
  }

  async detach(): Promise<void> {
    await this.#session.detach();
  }

  async #decide(paused: PausedRequest, reply: Send): Promise<void> {
    const { requestId, request, resourceType, frameId } = paused;
    const isDocument = resourceType === "Document";
    try {
      await this.#options.rules.check(request.url, isDocument);
      if (this.#options.rules.watchesSent) this.#options.rules.checkSent(await sentTexts(paused, reply));
      await reply("Fetch.continueRequest", { requestId });
    } catch (error) {
      const isMain = isDocument && frameId === this.id;
      if (isRefusal(error)) this.#refuse(request.url, error, isMain);
      // The page stays as it is. A frame or a tab that has gone meanwhile needs no answer.
      const isKept = isDocument && !(isMain && this.#options.isNew);
      const errorReason = isKept ? "Aborted" : "BlockedByClient";
      await reply("Fetch.failRequest", { requestId, errorReason }).catch(() => undefined);
    }
  }

  #refuse(url: string, error: Error, isMain: boolean): void {
    this.#options.refuse({ url: isLeak(error) ? withoutLeak(url) : url, error, isMain });
  }

  /** Sockets wait for nobody. */
  #look(event: unknown): void {
    const { url, texts } = sentOnSocket(event);
    try {
      this.#options.rules.checkSent(texts);
    } catch (error) {
      if (isRefusal(error)) this.#options.refuse({ url: withoutLeak(url), error, isMain: false, hasGone: true });
    }
  }

  #hear({ url, disposition }: { url: string; disposition: string }): void {
    if (disposition !== "currentTab" && disposition !== "download") this.#options.onTabRequested(url);
  }
}

export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "kind" in error && (error.kind === "blocked_url" || isLeak(error));
}

/** A page that the driver knows, not held yet. */
export async function guardPage(page: Page, options: GuardedPageOptions): Promise<GuardedPage> {
  const cdp = await page.context().newCDPSession(page);
  return new GuardedPage(await targetOf(cdp), pageSession(cdp), options);
}

const HEARD = [
  "Fetch.requestPaused",
  "Page.frameRequestedNavigation",
  "Network.webSocketCreated",
  "Network.webSocketFrameSent",
] as const;

/** By a session that the driver has opened. */
function pageSession(cdp: CDPSession): PageSession {
  const send: Send = (method, params) => cdp.send(method as "Fetch.enable", params as never);
  const frames = childFramesOf(cdp);
  const session: PageSession = {
    send,
    onEvent: undefined,
    tell: async (changes, setup) => {
      for (const [method, params] of changes) await send(method, params);
      await frames.tell(changes, setup);
    },
    detach: async () => await cdp.detach().catch(() => undefined),
  };
  frames.onEvent = (method, event, reply) => session.onEvent?.(method, event, reply);
  for (const method of HEARD) {
    cdp.on(method, (event) => session.onEvent?.(method, event, send));
  }
  return session;
}
