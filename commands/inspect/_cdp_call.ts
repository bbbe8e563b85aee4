/** Calls of CDP methods for callers, with what each of them needs to work: enabled domains, node ids, a frame. */

import type { CDPSession, Frame, Page } from "playwright";
import type { StateKey } from "../../browser/state_of.ts";
import type { Tab } from "../../browser/tabs/tab.ts";
import { BrowseError } from "../../errors.ts";
import type { CdpMethod, PageValue } from "./_cdp_methods.ts";

type Params = Readonly<Record<string, unknown>>;

/** Ids that answers carry are good in one session only, so it is kept while its document lives, and this long unused. */
const IDLE_MS = 5 * 60_000;

/** They number nodes, and forget the numbers when they are disabled. Others are on for one call. */
const KEPT_DOMAINS = new Set(["DOM", "CSS"]);

/** The driver's types list every method by name; ours come from callers, checked against the list of the allowed. */
type Send = (method: string, params?: Params) => Promise<Record<string, unknown>>;

class KeptSession {
  readonly send: Send;
  readonly #cdp: CDPSession;
  readonly #onIdle: () => void;
  readonly #enabled = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #document: Promise<number> | undefined;

  constructor(cdp: CDPSession, onIdle: () => void) {
    this.#cdp = cdp;
    this.#onIdle = onIdle;
    this.send = sendOn(cdp);
    this.touch();
  }

  /** Begins to count the idle time anew. */
  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onIdle, IDLE_MS).unref();
  }

  async enable(domain: string): Promise<void> {
    if (this.#enabled.has(domain)) return;
    if (domain === "CSS") await this.document();
    await this.send(`${domain}.enable`);
    if (KEPT_DOMAINS.has(domain)) this.#enabled.add(domain);
  }

  async disable(domain: string): Promise<void> {
    // A page that went meanwhile has nothing left to disable.
    if (!KEPT_DOMAINS.has(domain)) await this.send(`${domain}.disable`).catch(() => undefined);
  }

  /** Node id of the document; asking the browser again would void all ids that were given out. */
  document(): Promise<number> {
    this.#document ??= this.#requestDocument();
    return this.#document;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#cdp.detach().catch(() => undefined);
  }

  async #requestDocument(): Promise<number> {
    await this.enable("DOM");
    const { root } = await this.#cdp.send("DOM.getDocument", { depth: 0 });
    return root.nodeId;
  }

  /** The caller has asked for the document: its ids count from then on. */
  noteDocument(nodeId: number): void {
    this.#document = Promise.resolve(nodeId);
  }
}

const SESSIONS: StateKey<Tab, Map<Frame, Promise<KeptSession>>> = { make: sessionsOf };

export interface CdpCallOptions {
  params: Params;
  frame: Frame;
  /** CDP's `BackendNodeId` of the element that the call is about. */
  backendNodeId?: number;
}

/** Throws `invalid_params` for params that Chromium does not take, `not_found` for ids that mean nothing any more. */
export async function callCdp(tab: Tab, method: CdpMethod, options: CdpCallOptions): Promise<Record<string, unknown>> {
  if (method.ofBrowser) return await callBrowser(tab, method, options.params);
  const session = await sessionFor(tab, options.frame);
  session.touch();
  const { enable = [] } = method;
  try {
    if (method.element || method.name.startsWith("DOM.")) await session.document();
    for (const domain of enable) await session.enable(domain);
    const params = await completed(session, method, options);
    const answer = await session.send(method.name, params);
    if (method.name === "DOM.getDocument") session.noteDocument((answer.root as { nodeId: number }).nodeId);
    return answer;
  } catch (error) {
    throw refusal(method, error);
  } finally {
    for (const domain of enable) await session.disable(domain);
  }
}

async function callBrowser(tab: Tab, method: CdpMethod, params: Params): Promise<Record<string, unknown>> {
  const browser = tab.page.context().browser();
  if (!browser) throw new BrowseError("unsupported", `"${method.name}" is not available in this browser`);
  const cdp = await browser.newBrowserCDPSession();
  try {
    return await sendOn(cdp)(method.name, params);
  } catch (error) {
    throw refusal(method, error);
  } finally {
    await cdp.detach().catch(() => undefined);
  }
}

async function sessionFor(tab: Tab, frame: Frame): Promise<KeptSession> {
  const sessions = tab.pageState.get(SESSIONS);
  const known = sessions.get(frame);
  if (known) return await known;
  const opened = openFor(tab.page, frame, () => {
    sessions.delete(frame);
    void opened.then((session) => session.close());
  });
  sessions.set(frame, opened);
  opened.catch(() => sessions.delete(frame));
  return await opened;
}

/** Of a frame, until it shows another document. */
function sessionsOf({ page }: Tab): Map<Frame, Promise<KeptSession>> {
  const sessions = new Map<Frame, Promise<KeptSession>>();
  const drop = (gone: Frame) => {
    for (const [frame, opened] of sessions) {
      if (frame !== gone && gone.parentFrame()) continue;
      sessions.delete(frame);
      opened.then((session) => session.close()).catch(() => undefined);
    }
  };
  page.on("framenavigated", drop);
  page.on("framedetached", drop);
  return sessions;
}

async function openFor(page: Page, frame: Frame, onIdle: () => void): Promise<KeptSession> {
  const context = page.context();
  // A frame in its page's process has no session of its own.
  const own = frame.parentFrame() ? await context.newCDPSession(frame).catch(() => undefined) : undefined;
  return new KeptSession(own ?? (await context.newCDPSession(page)), onIdle);
}

/** The caller's params, with the element's id and the defaults that the caller left out. */
async function completed(session: KeptSession, method: CdpMethod, options: CdpCallOptions): Promise<Params> {
  const { params, backendNodeId } = options;
  const filled: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(method.defaults ?? {})) {
    if (params[name] === undefined) filled[name] = await defaultOf(session, value, options.frame);
  }
  const { element } = method;
  if (element && backendNodeId !== undefined) filled[element] = await elementId(session, element, backendNodeId);
  else if (element && method.orDocument && !namesElement(params)) filled.nodeId = await session.document();
  return { ...filled, ...params };
}

async function defaultOf(session: KeptSession, value: PageValue | readonly string[], frame: Frame): Promise<unknown> {
  if (value === "origin") return URL.parse(frame.url())?.origin ?? "";
  if (value !== "frameId") return value;
  const { frameTree } = (await session.send("Page.getFrameTree")) as { frameTree: { frame: { id: string } } };
  return frameTree.frame.id;
}

async function elementId(
  { send }: KeptSession,
  param: NonNullable<CdpMethod["element"]>,
  backendNodeId: number,
): Promise<unknown> {
  if (param === "backendNodeId") return backendNodeId;
  if (param === "nodeId") {
    const { nodeIds } = await send("DOM.pushNodesByBackendIdsToFrontend", { backendNodeIds: [backendNodeId] });
    return (nodeIds as number[])[0];
  }
  const { object } = (await send("DOM.resolveNode", { backendNodeId })) as { object: { objectId: string } };
  return object.objectId;
}

/** Has the caller said which element it means? */
export function namesElement(params: Params): boolean {
  return ["nodeId", "backendNodeId", "objectId"].some((name) => params[name] !== undefined);
}

function sendOn(cdp: CDPSession): Send {
  return (method, params = {}) => (cdp.send as unknown as Send).call(cdp, method, params);
}

const DOCUMENTATION = "https://chromedevtools.github.io/devtools-protocol/tot";
const UNKNOWN_ID =
  /(?:Could not find|No|Cannot find|Invalid) (?:\w+ ){0,3}(?:node|search|remote object|style ?sheet).*\bid\b/i;

function refusal({ name, element }: CdpMethod, error: unknown): unknown {
  const [, said] = /Protocol error \([\w.]+\): ([^\n]+)/.exec(error instanceof Error ? error.message : "") ?? [];
  if (said === undefined) return error;
  const [domain, method] = name.split(".");
  const orElement = element ? "; instead of an id, name the element after the method" : "";
  const [kind, hint] = UNKNOWN_ID.test(said)
    ? (["not_found", `Ids are good until the page navigates${orElement}`] as const)
    : (["invalid_params", `${DOCUMENTATION}/${domain}/#method-${method} has its params${orElement}`] as const);
  return new BrowseError(kind, `Chromium does not accept this for "${name}": ${said}`, { hint, cause: error });
}
