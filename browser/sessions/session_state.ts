/** All of a session that can be taken along into another context, or written down. */
import type { BrowserContext, Frame } from "playwright";
import { abortable } from "../../abort.ts";
import { BrowseError } from "../../errors.ts";
import type { Size } from "../emulation/viewport.ts";
import type { LoadedHtml } from "../navigation/loaded_html.ts";
import { type History, historyOf } from "../navigation/replay_history.ts";
import type { Tab } from "../tabs/tab.ts";
import type { Session } from "./session.ts";
import type { PageProbe } from "./session_options.ts";

/** The driver's own form: cookies, and local storage and IndexedDB by origin. */
export type StorageState = Awaited<ReturnType<BrowserContext["storageState"]>>;

export interface SessionState {
  storage: StorageState;
  tabs: TabState[];
  /** Index of the current tab; -1 when there is none. */
  current: number;
  /** What could not be taken along, in words. */
  missing: string[];
}

export interface TabState {
  /** The tab this is of; absent when it was read from a file. */
  tab?: Tab;
  /** What that was called, of a tab that is to be called so again. */
  id?: string;
  url: string;
  history: History;
  sessionStorage: OriginItems[];
  scroll: { x: number; y: number };
  size?: Size;
  loaded?: LoadedHtml;
  /** The frame that commands are scoped to: which child, from the main frame down. */
  scope?: number[];
  /** The page is one that the browser shows in the place of one that it could not load. */
  isErrorPage?: boolean;
}

export interface OriginItems {
  origin: string;
  items: Record<string, string>;
}

/** How long a page may take to say what is in it. */
const ANSWER_MS = 5_000;

/** The same for all its storage and databases. */
const STORAGE_MS = 15_000;

const HANGS = "A page of the session hangs, so that what it has stored cannot be read";
const HANGS_HINT = "Close it with `browse closetab <id>` and try again; `browse tab-each title` finds it";

/** Changes nothing in the session. Throws what the driver throws, and `timeout` when a page hangs. */
export async function sessionStateOf(session: Session): Promise<SessionState> {
  const { storage, missing } = await storageOf(session.context);
  const tabs = await Promise.all(session.tabs.map((tab) => tabStateOf(tab, session.probe)));
  const current = session.current();
  return { storage, tabs, current: current ? session.tabs.indexOf(current) : -1, missing };
}

/** A database may hold what has no written form (keys that must not leave the browser, files). */
export async function storageOf(context: BrowserContext): Promise<{ storage: StorageState; missing: string[] }> {
  try {
    return { storage: await unlessHanging(context.storageState({ indexedDB: true })), missing: [] };
  } catch (error) {
    if (error instanceof BrowseError) throw error;
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { storage: await unlessHanging(context.storageState()), missing: [`IndexedDB: ${reason}`] };
  }
}

/** Without its storage a session is not taken anywhere. */
async function unlessHanging(reading: Promise<StorageState>): Promise<StorageState> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new BrowseError("timeout", HANGS, { hint: HANGS_HINT })), STORAGE_MS);
  try {
    return await abortable(reading, late.signal);
  } finally {
    clearTimeout(timer);
  }
}

async function tabStateOf(tab: Tab, probe: PageProbe): Promise<TabState> {
  const { page, loaded, scope } = tab;
  const size = page.viewportSize();
  const history = await historyOf(tab);
  const shown = history.urls[history.index] ?? page.url();
  const answers = tab.isOpen ? await Promise.all(page.frames().map((frame) => sessionStorageOf(frame, probe))) : [];
  const own = { ...(size && { size }), ...(loaded && { loaded }), ...(scope && { scope: pathTo(scope) }) };
  return {
    tab,
    url: shown,
    history,
    sessionStorage: byOrigin(answers.flat()),
    scroll: tab.isOpen ? await answerOr(probe.scrolled(page.mainFrame()), { x: 0, y: 0 }) : { x: 0, y: 0 },
    ...own,
    ...(page.url().startsWith("chrome-error:") && { isErrorPage: true }),
  };
}

/** Frames without an origin have none; those that are leaving, or hang, cannot be asked. */
async function sessionStorageOf(frame: Frame, probe: PageProbe): Promise<OriginItems[]> {
  const { origin, items } = await answerOr(probe.stored(frame), { origin: "", items: [] });
  return items.length > 0 ? [{ origin, items: Object.fromEntries(items) }] : [];
}

function byOrigin(found: readonly OriginItems[]): OriginItems[] {
  return [...new Map(found.map((entry) => [entry.origin, entry])).values()];
}

/** What a page says, or `otherwise` when it says nothing in time. */
async function answerOr<T>(answer: Promise<T>, otherwise: T): Promise<T> {
  return await abortable(answer, AbortSignal.timeout(ANSWER_MS)).catch(() => otherwise);
}

function pathTo(frame: Frame): number[] {
  const parent = frame.parentFrame();
  return parent ? [...pathTo(parent), parent.childFrames().indexOf(frame)] : [];
}
