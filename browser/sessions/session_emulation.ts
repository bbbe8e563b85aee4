/** A session's emulation: one for all its tabs, also for those that come. */
import type { BrowserContext } from "playwright";
import { translateDriverError } from "../driver/errors.ts";
import { type Emulation, type EmulationTarget, emulateOn } from "../emulation/emulation.ts";
import type { Tab } from "../tabs/tab.ts";
import { TabLock } from "../tabs/tab_lock.ts";
import { allowCopying } from "./make_context.ts";

export interface EmulatedSession {
  readonly context: BrowserContext;
  readonly tabs: readonly Tab[];
}

export class SessionEmulation {
  readonly #session: EmulatedSession;
  readonly #lock = new TabLock();
  #settings: Emulation = {};
  #headers: Readonly<Record<string, string>> = {};

  constructor(session: EmulatedSession) {
    this.#session = session;
  }

  get settings(): Emulation {
    return this.#settings;
  }

  /** Is there anything that a new tab has to be told? */
  get isSet(): boolean {
    return Object.keys(this.#settings).length > 0;
  }

  /** Headers that go with every request of the session. */
  get headers(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** Replaces the headers that go with every request. */
  async setHeaders(headers: Readonly<Record<string, string>>): Promise<void> {
    await this.#session.context.setExtraHTTPHeaders({ ...withUserAgent(headers, this.#settings) });
    this.#headers = headers;
  }

  /**
   * Replaces all settings, in every tab, or in none when one of them refuses. `update` makes them of those there are; one
   * change waits for another. Throws `dialog_open`, and what the driver throws.
   */
  async change(update: (now: Emulation) => Emulation | Promise<Emulation>, signal: AbortSignal): Promise<void> {
    const release = await this.#lock.acquire(signal);
    try {
      await this.#set(await update(this.#settings));
    } finally {
      release();
    }
  }

  /** Makes a new tab like the others of the session. */
  async prepare(target: EmulationTarget): Promise<void> {
    if (this.isSet) await emulateOn(target, this.#settings, {});
  }

  /** What a context that takes another's place has to be told before any page is in it. */
  async prepareContext(context: BrowserContext): Promise<void> {
    const headers = withUserAgent(this.#headers, this.#settings);
    if (Object.keys(headers).length > 0) await context.setExtraHTTPHeaders({ ...headers });
    if (this.#settings.geolocation) await locate(context, this.#settings);
  }

  /** The same of a page in it, which has yet to be loaded: it is online until `finish`. */
  async prepareOnline(target: EmulationTarget): Promise<void> {
    if (this.isSet) await emulateOn(target, online(this.#settings), {});
  }

  /** The pages are loaded: they may go offline. */
  async finish(context: BrowserContext, targets: readonly EmulationTarget[]): Promise<void> {
    if (!this.#settings.offline) return;
    await context.setOffline(true);
    await Promise.all(targets.map((target) => emulateOn(target, this.#settings, online(this.#settings))));
  }

  /** A locale and a time zone go with the tab that set them, also for other tabs in its process. */
  async renew(): Promise<void> {
    const { locale, timezone } = this.#settings;
    if (locale === undefined && timezone === undefined) return;
    const { locale: _, timezone: __, ...before } = this.#settings;
    const open = this.#session.tabs.filter(({ isOpen, dialogs }) => isOpen && !dialogs.open);
    await Promise.all(
      open.map((tab) =>
        emulateOn(tab, this.#settings, before).catch((error: unknown) => {
          // Tabs close one after the other when their session does.
          if (translateDriverError(error).kind !== "tab_gone") throw error;
        }),
      ),
    );
  }

  async #set(wanted: Emulation): Promise<void> {
    for (const { id, dialogs } of this.#session.tabs) {
      // It would hold the answer back until somebody answers it.
      const blocked = dialogs.openError(`Cannot change what the session emulates: in ${id}`);
      if (blocked) throw blocked;
    }
    const before = this.#settings;
    try {
      await this.#apply(wanted, before);
      this.#settings = wanted;
    } catch (error) {
      // The tabs that took it go back. One that refuses that too is the one that failed, or is gone.
      await this.#apply(before, wanted).catch(() => undefined);
      throw error;
    }
  }

  async #apply(wanted: Emulation, before: Emulation): Promise<void> {
    const { context, tabs } = this.#session;
    if (wanted.userAgent !== before.userAgent) {
      await context.setExtraHTTPHeaders({ ...withUserAgent(this.#headers, wanted) });
    }
    if (JSON.stringify(wanted.geolocation) !== JSON.stringify(before.geolocation)) await locate(context, wanted);
    if (wanted.offline !== before.offline) await context.setOffline(wanted.offline ?? false);
    await Promise.all(tabs.map((tab) => emulateOn(tab, wanted, before)));
  }
}

function online({ offline: _, ...settings }: Emulation): Emulation {
  return settings;
}

/** A pop-up asks for its first page before anyone could tell it who it is; the context's headers are there by then. */
function withUserAgent(
  headers: Readonly<Record<string, string>>,
  { userAgent }: Emulation,
): Readonly<Record<string, string>> {
  const isGiven = Object.keys(headers).some((name) => name.toLowerCase() === "user-agent");
  return userAgent === undefined || isGiven ? headers : { ...headers, "user-agent": userAgent };
}

/** A place is of use only to pages that may ask for it. */
async function locate(context: BrowserContext, { geolocation }: Emulation): Promise<void> {
  await context.setGeolocation(geolocation ?? null);
  if (geolocation) await context.grantPermissions(["geolocation"]);
  else await context.clearPermissions();
  const browser = context.browser();
  if (browser) await allowCopying(browser);
}
