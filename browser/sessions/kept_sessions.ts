/**
 * Sessions that outlive their daemon. Written down when it ends for another to take its place (a restart, another build,
 * idleness), read once by that one, and given back as each session is asked for. In the user's own folder: what a
 * repository brings along is never taken for ours. What agents have opened is theirs, and ends with their tokens.
 */
import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { abortable } from "../../abort.ts";
import { ownFolderIn, readJsonFile, removeAbandoned, writePrivateFile } from "../../security/files/private_file.ts";
import { redactUrl } from "../../security/secrets/redact.ts";
import { byName } from "../../security/states/by_name.ts";
import { SHARED_SESSION } from "../../security/tokens/ownership.ts";
import type { Token } from "../../security/tokens/token.ts";
import { isLoadedUrl } from "../loaded_url.ts";
import type { Tab } from "../tabs/tab.ts";
import { type Rebuilt, rebuildSession } from "./rebuild.ts";
import { SavedStateSchema, savedStateOf, sessionStateFrom } from "./saved_state.ts";
import type { Session } from "./session.ts";
import { type SessionState, sessionStateOf, storageOf } from "./session_state.ts";

/** A daemon that ends has 5 s for all of it. A session whose pages hang is kept without what they have stored. */
const SAVE_MS = 2_000;
const SAVE_COOKIES_MS = 1_000;
/** How long the first command that needs the session waits for each of its pages, and for all of them. */
const PAGE_MS = 5_000;
const RETURN_MS = 20_000;
const MAX_AGE_MS = 7 * 24 * 60 * 60 * 1_000;
const MAX_BYTES = 64 * 1024 * 1024;

const KeptSchema = v.strictObject({
  /** Of the daemon whose they were: both count on from there, so that no old name means something new. */
  lastTab: v.number(),
  lastRef: v.number(),
  /** What could not be kept, in words. */
  missing: v.array(v.string()),
  sessions: byName(
    v.strictObject({
      state: SavedStateSchema,
      tabIds: v.array(v.pipe(v.string(), v.regex(/^t\d+$/))),
      /** Its tabs alone were kept: what it had for logins and storage is not known. */
      isBare: v.exactOptional(v.literal(true)),
    }),
  ),
});

type Kept = v.InferOutput<typeof KeptSchema>;
type KeptSession = Kept["sessions"][string];

interface KeptOptions {
  /** The user's own folder. */
  home: string;
  /** Of the daemon. */
  stateDir: string;
  refs: RefNumbers;
  onFault: (message: string, cause?: unknown) => void;
}

/** The numbers of refs, which count on from one daemon to the next. */
interface RefNumbers {
  /** The one that has been given out last, in any tab. */
  readonly highest: number;
  /** Gives out higher ones from now on. */
  continueAfter(last: number): void;
}

export class KeptSessions {
  readonly #options: KeptOptions;
  #left = new Map<string, KeptSession>();
  #notices: string[] = [];
  #lastTab = 0;

  constructor(options: KeptOptions) {
    this.#options = options;
  }

  /** The highest number that a tab had before. */
  get lastTab(): number {
    return this.#lastTab;
  }

  /** Of the sessions that nobody has asked for yet. */
  get names(): string[] {
    return [...this.#left.keys()];
  }

  /** Of the session only the tabs were kept: they go into what it has by then. */
  isBare(name: string): boolean {
    return this.#left.get(name)?.isBare === true;
  }

  /**
   * Takes over what the daemon before this one has kept, and gives what that could not keep, and whether logins are among
   * it; undefined for nothing.
   */
  take(): { missing: string[]; isBare: boolean } | undefined {
    try {
      const path = this.#path;
      const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      const how = { isSecret: true, maxBytes: MAX_BYTES };
      const read = age < MAX_AGE_MS ? readJsonFile(path, KeptSchema, how) : undefined;
      removeOld(join(path, ".."), path);
      if (!read || !("value" in read)) return undefined;
      this.#left = new Map(Object.entries(read.value.sessions));
      this.#lastTab = read.value.lastTab;
      this.#options.refs.continueAfter(read.value.lastRef);
      return { missing: read.value.missing, isBare: [...this.#left.values()].some(({ isBare }) => isBare) };
    } catch (error) {
      this.#options.onFault("What the daemon before this one has kept cannot be read", error);
      return undefined;
    }
  }

  /** Never rejects: what cannot be kept is lost, as the next daemon says. */
  async save(sessions: readonly Session[], lastTab: number): Promise<void> {
    try {
      const own = sessions.filter(({ holder }) => holder?.tabs !== "own");
      const missing: string[] = [];
      const found = await Promise.all(
        own.map(async (session) => [session.name, await keptOf(session, missing)] as const),
      );
      const all = { ...Object.fromEntries(this.#left), ...Object.fromEntries(found) };
      const kept: Kept = { lastTab, lastRef: this.#options.refs.highest, missing, sessions: all };
      await writePrivateFile(this.#path, JSON.stringify(kept));
    } catch (error) {
      this.#options.onFault("Tabs, logins and storage could not be kept for the next daemon", error);
    }
  }

  /** Puts into a session that was just made what was kept of it; false when nothing was. Never rejects. */
  async bringBack(session: Session, holder: Token): Promise<boolean> {
    const { name } = session;
    const kept = name === SHARED_SESSION || holder.tabs === "all" ? this.#left.get(name) : undefined;
    if (!kept) return false;
    this.#left.delete(name);
    const whole = sessionStateFrom(kept.state);
    const tabs = whole.tabs.map((tab, index) => ({ ...tab, id: kept.tabIds[index] ?? "" }));
    try {
      const storage = kept.isBare ? (await storageOf(session.context)).storage : whole.storage;
      const { failed } = await rebuilt(session, { ...whole, storage, tabs });
      for (const { url, reason } of failed) this.#tell(`${redactUrl(url)} is not loaded again: ${reason}`);
    } catch (error) {
      const urls = tabs.map(({ url }) => redactUrl(url)).join(", ");
      this.#tell(`The tabs of the session "${name}" cannot be brought back: ${urls}`, error);
      await rebuilt(session, { ...whole, tabs: [], current: -1 }).catch((fault: unknown) =>
        this.#tell(`The logins and storage of the session "${name}" cannot be brought back`, fault),
      );
    }
    return true;
  }

  /** What did not come back, each told once. */
  takeNotices(): string[] {
    const told = this.#notices;
    this.#notices = [];
    return told;
  }

  #tell(notice: string, cause?: unknown): void {
    this.#notices.push(notice);
    if (cause !== undefined) this.#options.onFault(notice, cause);
  }

  get #path(): string {
    const { home, stateDir } = this.#options;
    const project = createHash("sha256").update(stateDir).digest("hex").slice(0, 16);
    return join(ownFolderIn(home, "kept"), `${project}.json`);
  }
}

async function rebuilt(session: Session, image: SessionState): Promise<Rebuilt> {
  const signal = AbortSignal.timeout(RETURN_MS);
  // What is not done by then is not done any more: it changes nothing in the session before its end.
  return await abortable(rebuildSession(session, { image, pageMs: PAGE_MS, signal }), signal);
}

/** With all that it holds, or, where that takes too long, with the addresses of its tabs and, if the browser answers, its cookies. */
async function keptOf(session: Session, missing: string[]): Promise<KeptSession> {
  try {
    return written(await abortable(sessionStateOf(session), AbortSignal.timeout(SAVE_MS)));
  } catch {
    const asked = abortable(session.context.cookies(), AbortSignal.timeout(SAVE_COOKIES_MS));
    const cookies = await asked.catch(() => undefined);
    missing.push(
      cookies
        ? `what pages of the session "${session.name}" had stored, as one of them hangs`
        : `logins and storage of the session "${session.name}", as the browser gave no answer`,
    );
    const tabs = session.tabs.map((tab) => ({ tab, ...BARE, url: tab.url, history: { urls: [tab.url], index: 0 } }));
    const current = session.tabs.indexOf(session.current() as Tab);
    const kept = written({ storage: { cookies: cookies ?? [], origins: [] }, tabs, current, missing: [] });
    return { ...kept, ...(!cookies && { isBare: true }) };
  }
}

const BARE = { sessionStorage: [], scroll: { x: 0, y: 0 } };

/** What agents have opened is not, nor what `load-html` showed. */
function written(image: SessionState): KeptSession {
  const tabs = image.tabs.filter(({ tab, url }) => tab?.holder?.tabs !== "own" && !isLoadedUrl(url));
  const shown = image.tabs[image.current];
  const current = shown ? tabs.indexOf(shown) : -1;
  return { state: savedStateOf({ ...image, tabs, current }), tabIds: tabs.map(({ tab }) => tab?.id ?? "") };
}

/** Of all projects: each once used, or too old. */
function removeOld(folder: string, used: string): void {
  rmSync(used, { force: true });
  removeAbandoned(folder);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > MAX_AGE_MS) rmSync(path, { force: true, recursive: true });
  }
}
