/** Every session of the daemon's one browser. */
import type { Browser, BrowserContext } from "playwright";
import * as v from "valibot";
import { BrowseError } from "../../errors.ts";
import { SHARED_SESSION } from "../../security/tokens/ownership.ts";
import { SESSION_NAME_WORDS, SessionName } from "../../security/tokens/session_name.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { Report } from "../event_sink.ts";
import type { LoadGuard } from "../load_guard/load_guard.ts";
import type { BrowserProvider } from "../process/chromium.ts";
import type { DialogPolicy } from "../tabs/dialogs.ts";
import { noSuchTab } from "../tabs/no_such_tab.ts";
import type { Tab } from "../tabs/tab.ts";
import type { KeptSessions } from "./kept_sessions.ts";
import type { LastingSessions } from "./lasting_sessions.ts";
import { cookiesLostAtMs, noteLostCookies } from "./lost_cookies.ts";
import { makeContext } from "./make_context.ts";
import { Session } from "./session.ts";
import type { PageProbe } from "./session_options.ts";

export interface SessionsOptions {
  provider: BrowserProvider;
  probe: PageProbe;
  artifactsDir: string;
  /** Of one file that a page downloads. Default 200 MB. */
  maxDownloadBytes?: number;
  /** What sessions of an earlier daemon held. */
  kept?: KeptSessions;
  /** Those that are written down as they are used. */
  lasting?: LastingSessions;
  /** What a new session starts with. */
  dialogPolicy: () => DialogPolicy;
  onTab?: (tab: Tab) => void;
  /** Keeps tabs to the rules of those they were opened for. */
  guard?: LoadGuard;
  /** Told of each context before any page is in it. */
  onContext?: (context: BrowserContext) => Promise<void>;
  /** Something went wrong that no call is there to hear of. */
  onFault?: (message: string, cause?: unknown) => void;
  /** Where what happens in the browser is told. */
  report?: Report;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #sessions = new Map<string, Promise<Session>>();
  readonly #ready = new Map<string, Session>();
  #tabCount: number;
  #waking: Promise<unknown> | undefined;
  #givingBack: Promise<unknown> | undefined;
  #notices: string[] = [];

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#tabCount = options.kept?.lastTab ?? 0;
    options.lasting?.follow({ open: () => this.all, cookieLosses: async () => await options.provider.cookieLosses() });
  }

  /** Writes down what they hold: all of it for a daemon that takes this one's place, else what lasts. Never rejects. */
  async keep({ hasSuccessor }: { hasSuccessor: boolean }): Promise<void> {
    const { kept, lasting } = this.#options;
    await Promise.all([hasSuccessor ? kept?.save(this.all, this.#tabCount) : undefined, lasting?.save()]);
  }

  /** What of an earlier daemon's did not come back, each told once. */
  takeNotices(): string[] {
    const own = this.#notices;
    this.#notices = [];
    return [...own, ...[this.#options.kept, this.#options.lasting].flatMap((from) => from?.takeNotices() ?? [])];
  }

  /**
   * The browser has no cookie any more, and what it was sending it will not send on. Sessions that last get theirs back, and
   * callers are told of the others.
   */
  networkLost(): void {
    const { lasting, onFault } = this.#options;
    for (const session of this.all) {
      session.cutTransfers();
      noteLostCookies(session);
    }
    if (this.#ready.size === 0) return;
    const names = this.all.flatMap(({ name }) => (lasting?.names.has(name) ? `"${name}"` : []));
    const rest = names.length > 0 ? `, but for those that were last written down of ${names.join(", ")}` : "";
    const notice = `The browser's network process died: the cookies of all sessions, and logins with them, are gone${rest}`;
    this.#notices.push(notice);
    onFault?.(notice);
    this.#givingBack = lasting?.save();
  }

  /**
   * When the session lost its cookies without getting them back; undefined when it has not. What the browser answered
   * before this was asked, it answered from what this tells of. Rejects when the browser does not say.
   */
  async cookiesLostAtMs(session: Session): Promise<number | undefined> {
    await this.#options.provider.cookieLosses();
    await this.#givingBack;
    return cookiesLostAtMs(session);
  }

  /** Those that outlive a stop and a crash. */
  get lasting(): LastingSessions | undefined {
    return this.#options.lasting;
  }

  /** Sessions that exist now. */
  get all(): Session[] {
    return [...this.#ready.values()];
  }

  /** The browser, if it runs. */
  async browser(): Promise<Browser | undefined> {
    const { provider } = this.#options;
    return provider.state === "running" ? await provider.open() : undefined;
  }

  /** The session of that name, if it exists now. */
  find(name: string): Session | undefined {
    return this.#ready.get(name);
  }

  /** The session of that name, made for `holder` when it is first asked for. Starts the browser if need be. */
  get(name: string, holder: Token): Promise<Session> {
    const known = this.#sessions.get(name);
    if (known) return known;
    if (!v.is(SessionName, name)) {
      throw new BrowseError("invalid_params", `Cannot name a session "${name}"`, {
        hint: `Use ${SESSION_NAME_WORDS}`,
      });
    }
    const made = this.#open(name, holder);
    this.#sessions.set(name, made);
    made.catch(() => this.#sessions.delete(name));
    return made;
  }

  /** Has all be there again that an earlier daemon had: a call may name any of their tabs. Never rejects. */
  async wake(holder: Token): Promise<void> {
    const names = this.#options.kept?.names ?? [];
    if (names.length > 0) this.#waking ??= Promise.allSettled(names.map(async (name) => await this.get(name, holder)));
    await Promise.all([this.#waking, this.#givingBack]);
  }

  /** The open tab of that id, whichever session it is in. */
  tab(id: string): Tab | undefined {
    for (const session of this.all) {
      const tab = session.find(id);
      if (tab) return tab;
    }
    return undefined;
  }

  /** The same. Throws `tab_gone` when there is none. */
  findTab(id: string): Tab {
    const tab = this.tab(id);
    if (tab) return tab;
    throw noSuchTab(
      id,
      this.all.flatMap((session) => session.tabs),
    );
  }

  /** The session that a tab belongs to. */
  sessionOf(tab: Tab): Session {
    const session = this.#ready.get(tab.session);
    if (!session) throw new BrowseError("tab_gone", `Tab ${tab.id} has been closed with its session`);
    return session;
  }

  async #open(name: string, holder: Token): Promise<Session> {
    const browser = await this.#options.provider.open();
    const context = await makeContext(browser);
    await this.#options.onContext?.(context);
    const session = new Session(context, {
      name,
      ...(name !== SHARED_SESSION && { holder }),
      probe: this.#options.probe,
      artifactsDir: this.#options.artifactsDir,
      browserFolder: this.#options.provider.folder,
      dialogPolicy: this.#options.dialogPolicy(),
      nextTabId: () => `t${++this.#tabCount}`,
      ...(this.#options.maxDownloadBytes ? { maxDownloadBytes: this.#options.maxDownloadBytes } : {}),
      ...(this.#options.onTab ? { onTab: this.#options.onTab } : {}),
      ...(this.#options.guard ? { guard: this.#options.guard } : {}),
      ...(this.#options.onContext ? { onContext: this.#options.onContext } : {}),
      ...(this.#options.onFault ? { onFault: this.#options.onFault } : {}),
      ...(this.#options.report ? { report: this.#options.report } : {}),
      onClosed: () => {
        this.#sessions.delete(name);
        this.#ready.delete(name);
      },
    });
    this.#ready.set(name, session);
    await this.#bringBack(session, holder);
    return session;
  }

  async #bringBack(session: Session, holder: Token): Promise<void> {
    const { kept, lasting } = this.#options;
    const isBare = kept?.isBare(session.name) === true;
    if (isBare) await lasting?.bringBack(session, holder);
    if (!(await kept?.bringBack(session, holder)) && !isBare) await lasting?.bringBack(session, holder);
  }
}
