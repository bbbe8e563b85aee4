/**
 * Another context in the place of a session's own, with all that was in it. Everything is made and loaded beside the
 * session first: what fails on the way leaves the session as it was.
 */
import type { BrowserContext, BrowserContextOptions, Frame, Page } from "playwright";
import { translateDriverError } from "../driver/errors.ts";
import { PLAIN_SCREEN, setViewport } from "../emulation/viewport.ts";
import { walkHistory } from "../navigation/replay_history.ts";
import { noteCookiesBack } from "./lost_cookies.ts";
import type { Session } from "./session.ts";
import type { PreparedPage } from "./session_options.ts";
import { type OriginItems, type SessionState, sessionStateOf, type TabState } from "./session_state.ts";
import { endTraceEarly } from "./tracing.ts";

export interface RebuildOptions {
  /** What only a new context can be told. */
  context?: BrowserContextOptions;
  /** In the place of what the session holds now. */
  image?: SessionState;
  /** How long each page is waited for; one that takes longer goes on loading, and is told as failed. No limit when absent. */
  pageMs?: number;
  signal: AbortSignal;
}

export interface Rebuilt {
  /** What could not be taken along, in words. */
  missing: string[];
  /** Pages that did not load, in a session that came from an image. */
  failed: { url: string; reason: string }[];
}

/** Pages that are loaded at a time. */
const AT_A_TIME = 4;

/** How long a page may take to become as long as it was, and to have the frames that it had. */
const SETTLE_MS = 5_000;

/**
 * Cookies, storage, IndexedDB, tabs with their ids and order, history, scroll, loaded HTML, scoped frames, extra headers
 * and emulation are kept; what lived in the pages' scripts is not. Throws what the driver throws; `navigation_failed`
 * when a page of the session does not load again.
 */
export async function rebuildSession(session: Session, options: RebuildOptions): Promise<Rebuilt> {
  const { signal } = options;
  const image = options.image ?? (await sessionStateOf(session));
  signal.throwIfAborted();
  const context = await session.newContext({ ...options.context, storageState: image.storage });
  try {
    const staged = await inTurns(image.tabs, async (tab) => await stage(session, context, tab, options));
    const pages = staged.map(({ prepared }) => prepared);
    await session.emulation.finish(context, pages);
    signal.throwIfAborted();
    await endTraceEarly(session, "when its session was built anew");
    await session.replaceContext(context, pages);
    if (options.image) noteCookiesBack(session);
    for (const { prepared, image: of } of staged) scopeTo(prepared, of.scope);
    const current = staged[image.current]?.prepared.page;
    const tab = session.tabs.find(({ page }) => page === current);
    if (tab) session.select(tab);
    return { missing: image.missing, failed: staged.flatMap(({ failed }) => failed ?? []) };
  } catch (error) {
    if (session.context !== context) await context.close();
    throw error;
  }
}

interface Staged {
  prepared: PreparedPage;
  image: TabState;
  failed?: { url: string; reason: string };
}

/** Some of them at a time, in their order. When one fails the others are not waited for. */
async function inTurns<In, Out>(all: readonly In[], work: (each: In) => Promise<Out>): Promise<Out[]> {
  const done: Out[] = [];
  const left = all.entries();
  const turn = async (): Promise<void> => {
    for (const [index, each] of left) done[index] = await work(each);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, turn));
  return done;
}

type StageOptions = Pick<RebuildOptions, "pageMs" | "signal">;

async function stage(
  session: Session,
  context: BrowserContext,
  image: TabState,
  options: StageOptions,
): Promise<Staged> {
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const { tab, id, loaded, size, sessionStorage } = image;
  const place = { ...(tab && { tab }), ...(id !== undefined && { id }) };
  const prepared: PreparedPage = { page, metrics: PLAIN_SCREEN, cdp: async () => cdp, ...place };
  await session.emulation.prepareOnline(prepared);
  if (size) await setViewport(prepared, { size });
  await session.preparePage(page, image.history.urls, tab);
  await loaded?.serveIn(page);
  const seeded = await page.addInitScript(seed, sessionStorage);
  const failed = await load(page, image, options);
  // A page that waits for its server takes nothing that is asked of it.
  if (failed) void seeded.dispose().catch(() => undefined);
  else await seeded.dispose();
  return { prepared, image, ...(failed && { failed }) };
}

/** A page of the session must come back. Of one that was an error before, and of a saved one, the failure is told. */
async function load(page: Page, image: TabState, { pageMs, signal }: StageOptions): Promise<Staged["failed"]> {
  const patience = pageMs === undefined ? signal : AbortSignal.any([signal, AbortSignal.timeout(pageMs)]);
  try {
    await walkHistory(page, image.history, patience);
    await settle(page, image, patience);
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (image.tab && !image.isErrorPage) throw error;
    const isLate = patience.aborted && `it did not load within ${(pageMs ?? 0) / 1_000} s`;
    return { url: image.url, reason: isLate || translateDriverError(error).message };
  }
}

/** Runs in each document before its own scripts, in the page's world, and leaves nothing there but the items. */
function seed(known: OriginItems[]): void {
  const own = self.origin === "null" ? location.origin : self.origin;
  const items = known.find(({ origin }) => origin === own)?.items;
  for (const [key, value] of Object.entries(items ?? {})) sessionStorage.setItem(key, value);
}

async function settle(page: Page, { scroll, scope }: TabState, signal: AbortSignal): Promise<void> {
  const isScrolled = scroll.x !== 0 || scroll.y !== 0;
  if (!isScrolled && !scope) return;
  // What is not there by then is not waited for.
  await page.waitForLoadState("load", { timeout: SETTLE_MS, signal }).catch(() => undefined);
  if (isScrolled) await page.evaluate((place) => window.scrollTo(place.x, place.y), scroll).catch(() => undefined);
}

/** Commands that were meant for a frame must not go to the main one because it is missing. */
function scopeTo({ page, tab }: PreparedPage, path: readonly number[] | undefined): void {
  if (!path) return;
  let frame: Frame | undefined = page.mainFrame();
  for (const index of path) frame = frame?.childFrames()[index];
  tab?.scopeTo(frame ?? "gone");
}
