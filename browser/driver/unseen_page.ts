/** Pages that a page has asked for and the driver has not told of: it does so once they have a document, or never. */
import type { EventEmitter } from "node:events";
import type { BrowserContext, Page, Request } from "playwright";
import { insideOf } from "./inside.ts";
import { navigatedFrame } from "./navigated_frame.ts";

interface InnerPage {
  delegate?: InnerDelegate;
  initializedOrUndefined?: () => unknown;
}

interface InnerDelegate {
  _targetId?: string;
  _opener?: InnerDelegate | null;
  _browserContext?: object;
  _page?: InnerPage;
}

interface InnerBrowser {
  _session?: Pick<EventEmitter, "prependListener" | "removeListener">;
  _crPages?: Map<string, InnerDelegate>;
}

/** Driver's pages that have turned into a download before anybody was told of them. */
const TURNED_INTO_FILES = new WeakSet<object>();

/** By the browser's names. */
export interface UnseenPage {
  target: string;
  /** The page that has asked for it; absent where the browser does not say. */
  opener?: string;
}

/** The browser's name for a page, where the driver has it. */
export function targetInside(page: Page): string | undefined {
  return insideOf<InnerPage>(page)?.delegate?._targetId;
}

/** That of the page that has asked for it, be it told of or not; undefined where the browser does not say, or nobody has. */
export function openerInside(page: Page): string | undefined {
  return insideOf<InnerPage>(page)?.delegate?._opener?._targetId;
}

/** The page that nobody has been told of and that the request is to bring a document into; undefined of any other request. */
export function unseenPageOf(request: Request): UnseenPage | undefined {
  if (!request.isNavigationRequest() || navigatedFrame(request) !== undefined) return undefined;
  const inside = insideOf<{ _frame?: { _page?: InnerPage; parentFrame?: () => unknown } }>(request)?._frame;
  const { _targetId: target, _opener: opener } = inside?._page?.delegate ?? {};
  if (target === undefined || inside?.parentFrame?.()) return undefined;
  return { target, ...(opener?._targetId !== undefined && { opener: opener._targetId }) };
}

/**
 * Has the driver take this page for the one that asked for it, where the browser does not say who did (Control held on a
 * link).
 */
export function nameOpener(request: Request, opener: Page): void {
  const unseen = insideOf<{ _frame?: { _page?: InnerPage } }>(request)?._frame?._page?.delegate;
  const delegate = insideOf<InnerPage>(opener)?.delegate;
  if (unseen && delegate) unseen._opener ??= delegate;
}

/**
 * Of a page without opener that turns into a download before it has a document, the driver tells nobody: `askerOf` is
 * asked for the page that asked for it just before, since the request for it may not have been told of by then.
 */
export function followUnseenFiles(context: BrowserContext, askerOf: (target: string) => Page | undefined): void {
  const browser = context.browser();
  const { _session: session, _crPages: pages } = (browser && insideOf<InnerBrowser>(browser)) || {};
  const beforeDriver = ({ frameId: target }: { frameId: string }) => {
    // A page has the name of its main frame.
    const delegate = pages?.get(target);
    if (!delegate || delegate._browserContext !== insideOf(context)) return;
    if (delegate._page?.initializedOrUndefined?.() !== undefined) return;
    TURNED_INTO_FILES.add(delegate);
    const asker = askerOf(target);
    if (asker) delegate._opener ??= insideOf<InnerPage>(asker)?.delegate ?? null;
  };
  session?.prependListener("Browser.downloadWillBegin", beforeDriver);
  context.once("close", () => session?.removeListener("Browser.downloadWillBegin", beforeDriver));
}

/** It has turned into a download before it had a document. */
export function hasTurnedIntoFile(page: Page): boolean {
  const delegate = insideOf<InnerPage>(page)?.delegate;
  return (page.url() === "" && !page.isClosed()) || (delegate !== undefined && TURNED_INTO_FILES.has(delegate));
}

/** Where it was sent first, before any redirect. */
export function firstUrl(request: Request): string {
  let first = request;
  for (let from = first.redirectedFrom(); from; from = first.redirectedFrom()) first = from;
  return first.url();
}
