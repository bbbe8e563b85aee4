/**
 * Sessions whose cookies and storage outlive everything, a `stop` and a crash too, because a person has asked for that:
 * written down while they are used, in the user's own folder, and given back when each is opened again. Their tabs are
 * not: who stops the browser gives those up.
 */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { BrowserContext } from "playwright";
import * as v from "valibot";
import { abortable } from "../../abort.ts";
import { ownFolderIn } from "../../security/files/private_file.ts";
import type { StateKeys } from "../../security/states/state_key.ts";
import { StateStore, unreadable } from "../../security/states/state_store.ts";
import { SHARED_SESSION } from "../../security/tokens/ownership.ts";
import type { Token } from "../../security/tokens/token.ts";
import { noteCookiesBack } from "./lost_cookies.ts";
import { rebuildSession } from "./rebuild.ts";
import { type SavedState, SavedStateSchema, savedStateOf, sessionStateFrom } from "./saved_state.ts";
import type { Session } from "./session.ts";
import { type StorageState, storageOf } from "./session_state.ts";

/** How soon after a call it is written down; and a while after that, as pages change what they store by themselves. */
const SAVE_AFTER_MS = 3_000;
const SAVE_AGAIN_MS = 60_000;
/** Of the time between two, what writing down may take: some have gigabytes. */
const SHARE = 1 / 20;
/** A page that hangs does not say what it has stored; an end has 5 s for everything. */
const STORAGE_MS = 2_000;
const COOKIES_MS = 1_000;
const RETURN_MS = 20_000;
/** How often, and how far apart, cookies that were lost are given back until they have come in. */
const GIVE_TIMES = 10;
const GIVE_AGAIN_MS = 50;

interface LastingOptions {
  /** The user's own folder. */
  home: string;
  /** Of the daemon. */
  stateDir: string;
  keys: StateKeys;
  /** All sessions of the user's own, without being asked for each: `persist` of the user's `config.json`. */
  all: boolean;
  onFault: (message: string, cause?: unknown) => void;
}

interface Followed {
  /** Those that are open. */
  open: () => readonly Session[];
  /** How often the browser has lost all cookies by now. Rejects when it does not say, or can take none yet. */
  cookieLosses: () => Promise<number>;
}

export class LastingSessions {
  readonly #options: LastingOptions;
  readonly #store: StateStore;
  readonly #names: Set<string>;
  /** Not to be written now: they are being brought back, or cannot be read, and their key may come back. */
  readonly #held = new Set<string>();
  /** Hashes of what was last written, and the files that this made, to write nothing twice while they are as they were. */
  readonly #written = new Map<string, { hash: string; file: string | undefined }>();
  /** How often cookies had been lost when each had all of its own. */
  readonly #wholeAt = new Map<string, number>();
  #notices: string[] = [];
  #followed: Followed = { open: () => [], cookieLosses: async () => 0 };
  #timer: NodeJS.Timeout | undefined;
  /** When it goes off. */
  #dueMs = Number.POSITIVE_INFINITY;
  #lastTookMs = 0;
  #saving: Promise<void> = Promise.resolve();

  constructor(options: LastingOptions) {
    this.#options = options;
    const project = createHash("sha256").update(options.stateDir).digest("hex").slice(0, 16);
    this.#store = new StateStore(join(ownFolderIn(options.home, "sessions"), project), options.keys);
    this.#names = new Set(this.#store.names());
  }

  /** Those that are written down, open or not. */
  get names(): ReadonlySet<string> {
    return this.#names;
  }

  follow(followed: Followed): void {
    this.#followed = followed;
  }

  /** Writes it down from now on. Throws what keeps it from being written. */
  async begin(session: Session): Promise<void> {
    this.#held.delete(session.name);
    this.#wholeAt.set(session.name, await this.#followed.cookieLosses());
    await this.#write(session);
    this.#names.add(session.name);
    this.touch();
  }

  /** Writes it down no more, and removes what was. Throws what keeps it from being removed. */
  forget(name: string): void {
    if (this.#names.has(name)) this.#store.remove(name);
    this.#names.delete(name);
    this.#written.delete(name);
    this.#held.delete(name);
    this.#wholeAt.delete(name);
  }

  /** Gives a session that was just made what was written down of it. Never rejects. */
  async bringBack(session: Session, holder: Token): Promise<void> {
    const { name } = session;
    if (name !== SHARED_SESSION && holder.tabs !== "all") return;
    this.#held.add(name);
    try {
      this.#wholeAt.set(name, await this.#followed.cookieLosses());
      const state = await this.#read(name);
      const signal = AbortSignal.timeout(RETURN_MS);
      if (state) await abortable(rebuildSession(session, { image: sessionStateFrom(state), signal }), signal);
      else if (this.#options.all) await this.begin(session);
      this.#held.delete(name);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#notices.push(`The session "${name}" begins without the logins and storage that it had: ${reason}`);
      this.#options.onFault(`The session "${name}" cannot be brought back`, error);
    }
  }

  /** Something was done that may have changed what they store. */
  touch(): void {
    if (this.#names.size > 0) this.#saveIn(Math.max(SAVE_AFTER_MS, this.#lastTookMs / SHARE));
  }

  /** Writes down all that are open. Never rejects. */
  async save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#saveOpen());
    await this.#saving;
  }

  /** What did not come back, each told once. */
  takeNotices(): string[] {
    const told = this.#notices;
    this.#notices = [];
    return told;
  }

  #saveIn(ms: number): void {
    const dueMs = performance.now() + ms;
    if (dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      void this.save();
    }, ms).unref();
  }

  async #saveOpen(): Promise<void> {
    const startMs = performance.now();
    const lasting = this.#followed.open().filter(({ name }) => this.#names.has(name) && !this.#held.has(name));
    for (const session of lasting) {
      try {
        await this.#giveBackCookies(session);
        await this.#write(session);
      } catch (error) {
        this.#options.onFault(`The session "${session.name}" could not be written down`, error);
      }
    }
    this.#lastTookMs = performance.now() - startMs;
    if (lasting.length > 0) this.#saveIn(Math.max(SAVE_AGAIN_MS, this.#lastTookMs / SHARE));
  }

  /** Those that were written down, where the browser has lost them since. A page may have new ones by now, which stay. */
  async #giveBackCookies(session: Session): Promise<void> {
    const { name, context } = session;
    const losses = await this.#followed.cookieLosses();
    if (this.#wholeAt.get(name) === losses) return;
    const { cookies = [] } = (await this.#read(name)) ?? {};
    await giveCookies(context, cookies as StorageState["cookies"]);
    noteCookiesBack(session);
    this.#wholeAt.set(name, losses);
  }

  /**
   * Whole, or not at all: a session that is being closed has nothing left in it, one whose cookies were lost too little.
   * Throws, and writes nothing, when the browser does not say whether they were.
   */
  async #write(session: Session): Promise<void> {
    const { name } = session;
    const content = savedStateOf({ storage: await this.#storageOf(session), tabs: [], current: -1, missing: [] });
    const hash = createHash("sha256").update(JSON.stringify(content)).digest("base64");
    const written = this.#written.get(name);
    if (written?.hash === hash && written.file === this.#store.fileOf(name)) return;
    if (this.#wholeAt.get(name) !== (await this.#followed.cookieLosses())) return;
    await this.#store.save(name, content, { encrypt: (await this.#options.keys.usable()) !== undefined });
    this.#written.set(name, { hash, file: this.#store.fileOf(name) });
  }

  /** Where a page hangs, the cookies as they are, and what was stored before. */
  async #storageOf({ name, context }: Session): Promise<StorageState> {
    try {
      return (await abortable(storageOf(context), AbortSignal.timeout(STORAGE_MS))).storage;
    } catch {
      const cookies = await abortable(context.cookies(), AbortSignal.timeout(COOKIES_MS));
      const { origins = [] } = (await this.#read(name)) ?? {};
      return { cookies, origins } as StorageState;
    }
  }

  async #read(name: string): Promise<SavedState | undefined> {
    if (!this.#names.has(name)) return undefined;
    const parsed = v.safeParse(SavedStateSchema, (await this.#store.load(name)).content);
    if (!parsed.success) throw unreadable(name, "its file is damaged");
    return parsed.output;
  }
}

/** Throws when none of them has come in: what is new in the browser drops what it is told too soon, without a word. */
async function giveCookies(context: BrowserContext, cookies: StorageState["cookies"]): Promise<void> {
  for (let left = GIVE_TIMES; left > 0; left--) {
    const present = new Set((await context.cookies()).map(cookieKey));
    const lasting = cookies.filter(({ expires }) => expires === -1 || expires * 1_000 > Date.now());
    // It may not take one or the other any more; then it takes the rest.
    if (lasting.length === 0 || (left < GIVE_TIMES && lasting.some((cookie) => present.has(cookieKey(cookie))))) return;
    await context.addCookies(lasting.filter((cookie) => !present.has(cookieKey(cookie))));
    await sleep(GIVE_AGAIN_MS);
  }
  throw new Error("The browser does not take its cookies back");
}

function cookieKey({ name, domain, path }: { name: string; domain: string; path: string }): string {
  return JSON.stringify([name, domain, path]);
}
