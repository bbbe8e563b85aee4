/**
 * The browser's part of the daemon: one Chromium, its sessions, what their tabs may load, and the watchdog by which
 * nothing that the daemon starts can outlive it.
 */

import type { BrowserControl, BrowserFound, DaemonStatus, DoctorLine, DoctorRequest } from "../commands/context.ts";
import type { LaunchSettings } from "../rpc/lifecycle/launch_settings.ts";
import type { Environment } from "../security/process/environment.ts";
import type { ProcessIdentity } from "../security/process/process_identity.ts";
import { Watchdog } from "../security/process/watchdog.ts";
import { StateKeys } from "../security/states/state_key.ts";
import { ownsTab, SHARED_SESSION, sessionMeant } from "../security/tokens/ownership.ts";
import type { Token } from "../security/tokens/token.ts";
import type { Reported, ReportPlace, ReportTopic } from "./event_sink.ts";
import { chromiumExecutable } from "./install/executable.ts";
import { type SetUpOptions, setUpChromium } from "./install/set_up.ts";
import { type DeniedHosts, LoadGuard, type LoadGuardOptions } from "./load_guard/load_guard.ts";
import type { RefusedLoad } from "./navigation/refused_loads.ts";
import { forgetHistory } from "./navigation/replay_history.ts";
import { type BrowserProcess, Chromium } from "./process/chromium.ts";
import { runDoctor } from "./process/doctor.ts";
import type { KeptSessions } from "./sessions/kept_sessions.ts";
import type { LastingSessions } from "./sessions/lasting_sessions.ts";
import type { PageProbe } from "./sessions/session_options.ts";
import { Sessions } from "./sessions/sessions.ts";
import type { Tab } from "./tabs/tab.ts";

type Publish = (topic: ReportTopic | "daemon", data: Reported, place?: ReportPlace) => void;

/** Those who read pages, whom the browser knows only by this. */
export interface PageReaders {
  /** Before the first page is opened. */
  prepare: () => Promise<void>;
  /** Told of each tab as it comes. */
  follow: (tab: Tab) => void;
  probe: PageProbe;
}

interface WatchedBrowserOptions {
  pages: PageReaders;
  settings: Environment;
  launch: LaunchSettings;
  stateDir: string;
  artifactsDir: string;
  projectDir: string;
  /** Of the daemon before this one. */
  kept: KeptSessions;
  lasting: LastingSessions;
  /** The hosts that the user's policy closes to everyone. */
  denied: DeniedHosts;
  /** A tab asked for something that its rules keep from it. */
  canaryOf: LoadGuardOptions["canaryOf"];
  onRefused: (tab: Tab, load: RefusedLoad) => void;
  onFault: (message: string, cause?: unknown) => void;
  /** Where what happens in the browser is told. */
  publish: Publish;
}

export class WatchedBrowser implements BrowserControl {
  readonly launch: LaunchSettings;
  readonly watchdog: Watchdog;
  readonly chromium: Chromium;
  readonly guard: LoadGuard;
  readonly sessions: Sessions;
  readonly #settings: Environment;
  readonly #stateDir: string;
  readonly #onFault: (message: string, cause?: unknown) => void;
  #watched: ProcessIdentity | undefined;

  constructor(options: WatchedBrowserOptions) {
    const {
      pages,
      settings,
      launch,
      stateDir,
      artifactsDir,
      projectDir,
      kept,
      lasting,
      denied,
      canaryOf,
      onRefused,
      onFault,
      publish,
    } = options;
    this.#settings = settings;
    this.#stateDir = stateDir;
    this.#onFault = onFault;
    this.launch = launch;
    this.watchdog = new Watchdog({ stateDir, onTrouble: onFault });
    this.chromium = new Chromium({
      launch: this.launch,
      stateDir,
      sandbox: this.#isSandboxed,
      executablePath: async () => (await chromiumExecutable(settings.chromium, this.launch)).path,
      prepare: pages.prepare,
      onUnstarted: onFault,
      onDropped: onFault,
      onProcess: (process) => {
        publish("daemon", { event: "browserUp", pid: process.identity.pid });
        this.#watch(process);
      },
      onLoudPage: (isThis, why) => {
        const tabs = this.sessions.all.flatMap((session) => session.tabs);
        const tab = tabs.find(({ page }) => isThis(page));
        tab?.endPage(why);
        return tab !== undefined;
      },
      onNetworkLost: () => this.sessions.networkLost(),
    });
    this.guard = new LoadGuard({
      resolvedElsewhere: () => this.launch.proxy !== undefined,
      files: { projectDir, stateDir, homeStateDir: settings.home },
      denied,
      canaryOf,
      onRefused,
    });
    this.sessions = new Sessions({
      provider: this.chromium,
      probe: pages.probe,
      artifactsDir,
      kept,
      lasting,
      dialogPolicy: () => (this.launch.headed ? "ask" : "accept"),
      guard: this.guard,
      onTab: (tab) => {
        pages.follow(tab);
        this.guard.watch(tab);
      },
      onFault,
      report: publish,
    });
  }

  /** Somebody may be looking at it. */
  get hasWindow(): boolean {
    return this.launch.headed && this.chromium.state === "running";
  }

  /** Has them lead to no page that they showed before. Throws `tab_gone` for one that is not open, and then changes none. */
  async lendTabs(ids: Iterable<string>, signal: AbortSignal): Promise<void> {
    const tabs = Array.from(ids, (id) => this.sessions.findTab(id));
    await Promise.all(tabs.map(async (tab) => await forgetHistory(tab, signal)));
    for (const tab of tabs) tab.forgetPast();
  }

  /** The tab becomes the one that calls with that token mean when they name none. Throws `tab_gone`. */
  giveTab(id: string, token: Token): void {
    const tab = this.sessions.findTab(id);
    this.sessions.sessionOf(tab).select(tab, token);
  }

  /** Closes the tabs that were opened with that token, which is used no more. Never rejects. */
  async closeTabsOf(token: Token): Promise<void> {
    await Promise.all(this.sessions.all.map(async (session) => await session.leave(token)));
  }

  get status(): Pick<DaemonStatus, "browser" | "browserVersion" | "headed" | "proxy" | "sessions" | "isUnwatched"> {
    const { headed, proxy } = this.launch;
    const { state: browser, version: browserVersion } = this.chromium;
    return {
      browser,
      ...(browserVersion !== undefined && { browserVersion }),
      headed,
      ...(proxy !== undefined && { proxy }),
      ...(this.watchdog.isGivenUp && { isUnwatched: true }),
      sessions: this.sessions.all.map(({ name, tabs }) => ({ name, tabs: tabs.length })),
    };
  }

  /** Is that tab open, and may the token see what happens in it? */
  isOwned(id: string, token: Token): boolean {
    const tab = this.sessions.tab(id);
    return tab !== undefined && ownsTab(token, tab);
  }

  /** The one that the token's calls in that session work on. */
  currentTab(token: Token, session = SHARED_SESSION): Tab | undefined {
    return this.sessions.find(sessionMeant(token, session))?.current(token);
  }

  /** Resolves once what has died by now, of the browser and its tabs, has been told. Never rejects. */
  async untilDeathsTold(): Promise<void> {
    await this.chromium.ask();
  }

  async start(): Promise<void> {
    await this.chromium.open();
  }

  async doctor({ fix, port, faults, classifier }: DoctorRequest): Promise<DoctorLine[]> {
    const { chromium, port: askedPort, stateKey } = this.#settings;
    const [stateDir, sandboxed, stateKeys] = [this.#stateDir, this.#isSandboxed, new StateKeys(stateKey)];
    const { isGivenUp: isWatchdogGivenUp } = this.watchdog;
    const { folder: browserFolder } = this.chromium;
    const daemon = { stateDir, port, askedPort, stateKeys, browserFolder, isWatchdogGivenUp, faults, classifier };
    return await runDoctor({ fix, chromium, sandboxed, ...daemon });
  }

  async setUp(options: SetUpOptions): Promise<BrowserFound> {
    return await setUpChromium(this.#settings.chromium, options);
  }

  async close(options: { atOnce: boolean }): Promise<void> {
    if (!(await this.chromium.close(options))) this.#onFault("Chromium did not close in time and was killed");
    if (this.#watched) this.watchdog.unwatch(this.#watched);
    await this.watchdog.close();
  }

  /** Chromium's sandbox does not work for root. */
  get #isSandboxed(): boolean {
    return !this.#settings.noSandbox && process.getuid?.() !== 0;
  }

  #watch({ identity, folders }: BrowserProcess): void {
    this.#watched = identity;
    this.watchdog.watch(identity, folders);
  }
}
