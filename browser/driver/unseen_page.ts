/** Pages that a page has asked for and the driver has not told of: it does so once they have a document, or never. */
import type { Page, Request } from "playwright";
import { insideOf } from "./inside.ts";
import { navigatedFrame } from "./navigated_frame.ts";

interface InnerPage {
  delegate?: InnerDelegate;
}

interface InnerDelegate {
  _targetId?: string;
  _opener?: InnerDelegate | null;
}

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
 * link). What comes of a page without one that turns into a download the driver tells nobody of.
 */
export function nameOpener(request: Request, opener: Page): void {
  const unseen = insideOf<{ _frame?: { _page?: InnerPage } }>(request)?._frame?._page?.delegate;
  const delegate = insideOf<InnerPage>(opener)?.delegate;
  if (unseen && delegate) unseen._opener ??= delegate;
}

/** Where it was sent first, before any redirect. */
export function firstUrl(request: Request): string {
  let first = request;
  for (let from = first.redirectedFrom(); from; from = first.redirectedFrom()) first = from;
  return first.url();
}
