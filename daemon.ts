/**
 * The daemon: builds the parts, wires them, listens, shuts down. One runs per project, detached from whoever started
 * it. Read it from top to bottom as the map of the system.
 */
import { join } from "node:path";
import { translateDriverError } from "./browser/driver/errors.ts";
import type { BrowserExit } from "./browser/process/browser_exit.ts";
import { KeptSessions } from "./browser/sessions/kept_sessions.ts";
import { LastingSessions } from "./browser/sessions/lasting_sessions.ts";
import { commandsNamed, EFFECTS } from "./commands/command.ts";
import type { Daemon, DaemonStatus, RestartOptions } from "./commands/context.ts";
import type { RemoteAccess } from "./commands/remote_access.ts";
import "./commands/mod.ts";
import { WatchedBrowser } from "./browser/watched_browser.ts";
import { BrowseError } from "./errors.ts";
import { observeEffects } from "./refs/effects/effects.ts";
import { pageProbe } from "./refs/page_probe.ts";
import { registerReader } from "./refs/reader.ts";
import { RefNumbers } from "./refs/ref_table.ts";
import type { JournalEntry, JournalQuery } from "./rpc/events/journal.ts";
import type { CommandFigures } from "./rpc/events/metrics.ts";
import type { Answer, Caller, CallOptions } from "./rpc/gate/call.ts";
import { Dispatcher } from "./rpc/gate/dispatch.ts";
import { DaemonLog } from "./rpc/lifecycle/daemon_log.ts";
import { Faults } from "./rpc/lifecycle/faults.ts";
import { IdleTimer } from "./rpc/lifecycle/idle_timer.ts";
import {
  checkLaunch,
  type HandoverAnswer,
  handover,
  type LaunchSettings,
  launchAfter,
  launchFor,
  modeOf,
} from "./rpc/lifecycle/launch_settings.ts";
import { Records } from "./rpc/lifecycle/records.ts";
import { type Ended, lossNotice, StateFile, writtenLaunch } from "./rpc/lifecycle/state_file.ts";
import { StateWatch } from "./rpc/lifecycle/state_watch.ts";
import { startSuccessor } from "./rpc/lifecycle/successor.ts";
import { versionOf } from "./rpc/lifecycle/version.ts";
import { completionFor } from "./rpc/line/completion.ts";
import { helpNamed, helpOverview } from "./rpc/line/help.ts";
import { openRpcDocument } from "./rpc/methods/openrpc.ts";
import { type Health, PROTOCOL_VERSION } from "./rpc/protocol.ts";
import { Listeners } from "./rpc/wire/doors.ts";
import { deviceSaltIn } from "./security/files/device_salt.ts";
import { artifactsIn } from "./security/files/file_location.ts";
import { MadeFiles } from "./security/files/made_files.ts";
import { ensurePrivateDir, removeAbandoned } from "./security/files/private_file.ts";
import { persistsAll, readConfig } from "./security/policy/config.ts";
import { PolicyFiles } from "./security/policy/policy_files.ts";
import { type Environment, readEnvironment } from "./security/process/environment.ts";
import { LifeLock } from "./security/process/life_lock.ts";
import { identityOf } from "./security/process/process_identity.ts";
import { announceStart, endAnnounced } from "./security/process/starters.ts";
import { reapOrphan } from "./security/process/watchdog.ts";
import { StateKeys } from "./security/states/state_key.ts";
import { StateStore } from "./security/states/state_store.ts";
import { prepareArtifacts } from "./security/tokens/artifacts.ts";
import { SHARED_SESSION, sessionMeant } from "./security/tokens/ownership.ts";
import { newSecret, type Token } from "./security/tokens/token.ts";

/** For all of a shutdown but the killing at its end, so that `stop` is over in 5 s. */
const MAX_END_MS = 4_700;

interface Ending {
  /** Why, unless somebody asked for it to stop. */
  ended?: Ended;
  /** When that is in the log. */
  told?: Promise<void>;
  /** How the next one launches its browser, if otherwise than this one. */
  launch?: LaunchSettings;
  /** The state folder is another daemon's, or gone: nothing is written there any more. */
  isDisplaced?: boolean;
}

async function main(): Promise<void> {
  // An agent's shell that goes takes its children along; the daemon belongs to nobody's shell.
  process.on("SIGHUP", () => {});
  const settings = readEnvironment(process.env);
  const stateDir = settings.stateDir ?? join(process.cwd(), ".browse");
  ensurePrivateDir(stateDir);
  // For one that was announced by the daemon before it.
  process.once("exit", () => endAnnounced(stateDir));
  const taken = await LifeLock.acquire(stateDir);
  if ("held" in taken) return;
  await reapOrphan(stateDir);
  removeAbandoned(stateDir);
  prepareArtifacts(stateDir);
  await new RunningDaemon(settings, stateDir, taken.lock).listen();
}

class RunningDaemon implements Daemon {
  readonly projectDir = process.cwd();
  readonly stateDir: string;
  readonly maxHtmlBytes: number;
  readonly states: StateStore;
  readonly #settings: Environment;
  readonly #lock: LifeLock;
  readonly #version = versionOf();
  readonly #startedAt = new Date();
  readonly #started = performance.now();

  // What is written down, and what is told.
  readonly #log = new DaemonLog();
  readonly #records: Records;
  readonly #stateFile: StateFile;
  #stateWatch: StateWatch | undefined;
  #lossNotice: string | undefined;
  readonly #faults = new Faults((message, cause) => this.#log.write("error", message, cause));

  // Chromium and its sessions, watched from outside so that they cannot outlive us.
  readonly browser: WatchedBrowser;

  // Two doors, and behind them one way in: every call of every client passes the dispatcher.
  readonly #listeners: Listeners;
  readonly #policy: PolicyFiles;
  readonly #dispatcher: Dispatcher;
  readonly #idle: IdleTimer;
  #ending: Promise<void> | undefined;

  constructor(settings: Environment, stateDir: string, lock: LifeLock) {
    this.#settings = settings;
    this.#lock = lock;
    this.stateDir = stateDir;
    this.maxHtmlBytes = settings.maxHtmlBytes;
    const keys = new StateKeys(settings.stateKey);
    this.states = new StateStore(join(stateDir, "states"), keys);
    const onTrouble = (message: string, cause?: unknown) => this.#log.write("error", message, cause);
    const sealKey = () => deviceSaltIn(settings.home, onTrouble);
    this.#stateFile = new StateFile({ stateDir, sealKey, onTrouble });
    const previous = this.#stateFile.previous();
    const { home } = settings;
    const refs = new RefNumbers();
    const kept = new KeptSessions({ home, stateDir, refs, onFault: onTrouble });
    const lasting = new LastingSessions({ home, stateDir, keys, all: persistsAll(home), onFault: onTrouble });
    this.#lossNotice = lossNotice(previous, kept.take(), [...lasting.names]);
    this.#records = new Records({ stateDir, onTrouble });
    this.browser = new WatchedBrowser({
      pages: { prepare: registerReader, follow: refs.follow, probe: pageProbe },
      settings,
      launch: launchAfter(previous, settings),
      stateDir,
      artifactsDir: artifactsIn(stateDir),
      projectDir: this.projectDir,
      kept,
      lasting,
      denied: { isSet: () => this.#policy.hasDeniedHosts, denies: (url) => this.#policy.deniesLoad(url) },
      onRefused: (tab, load) => this.#dispatcher.tellOfLoad(tab, load),
      onFault: onTrouble,
      publish: (topic, data, place) => this.#records.hub.publish(topic, data, place),
    });
    this.#listeners = this.#makeListeners();
    this.#policy = this.#readPolicy();
    this.#dispatcher = this.#makeDispatcher();
    this.#listeners.tokens.onRevoked((token) => {
      this.#dispatcher.revoke(token);
      this.browser.guard.release(token);
    });
    this.#idle = new IdleTimer({
      afterMs: settings.idleTimeoutMs,
      isHeld: () => this.#isHeld,
      onIdle: () => void this.#shutDown({ ended: "idle" }),
    });
  }

  /** Opens the door, and writes down where it is. */
  async listen(): Promise<void> {
    for (const name of this.#settings.unknown) this.#log.write("warning", `Unknown environment variable ${name}`);
    const token = newSecret();
    await this.#listeners.listen(token, { port: this.#settings.port, health: () => this.#health() });
    void this.browser.chromium.whenGone.then((browserExit) => this.#onBrowserGone(browserExit));
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void this.#shutDown({}));
    const { pid, port, version, protocol } = this.status();
    const startedAt = this.#startedAt.toISOString();
    const launch = writtenLaunch(this.browser.launch);
    const { startTime = "" } = identityOf(pid) ?? {};
    await this.#stateFile.write({ pid, startTime, port, token, startedAt, version, protocol, ...launch });
    endAnnounced(this.stateDir);
    this.#stateWatch = this.#watchState();
    void this.#policy.watch();
    // Until here a start that fails is to end.
    this.#faults.catchAll();
    this.#log.write("info", `Listening on port ${port}`);
  }

  status(): DaemonStatus {
    return {
      ...this.browser.status,
      pid: process.pid,
      version: this.#version,
      protocol: PROTOCOL_VERSION,
      uptimeMs: Math.round(performance.now() - this.#started),
      port: this.#listeners.port,
      stateDir: this.stateDir,
      connections: this.#listeners.connectionCount,
      memoryBytes: process.memoryUsage.rss(),
      calls: this.#records.metrics.commands,
      events: this.#records.hub.figures,
      runningCalls: this.#listeners.runningCalls,
      faults: this.#faults.figures,
    };
  }

  callsOf(holder: Token): CommandFigures[] {
    return this.#records.callsOf(holder);
  }

  stop(): void {
    void this.#shutDown({});
  }

  restart(options: RestartOptions): void {
    void this.#shutDown({ ended: "restart", launch: launchFor(options, this.browser.launch) });
  }

  async journal(query: JournalQuery): Promise<JournalEntry[]> {
    return await this.#records.journal(query);
  }

  get remote(): RemoteAccess {
    return this.#listeners;
  }

  readonly helpFor = helpNamed;
  readonly helpOverview = helpOverview;
  readonly completionFor = completionFor;
  readonly openRpc = () => openRpcDocument(this.#version);

  /** Something keeps an idle daemon alive. */
  get #isHeld(): boolean {
    return this.browser.hasWindow || this.#listeners.isBusy || this.#records.hub.subscriptionCount > 0;
  }

  #health(): Health {
    const { version, protocol, browser, uptimeMs } = this.status();
    return { status: "ok", version, protocol, mode: modeOf(this.browser.launch), uptimeMs, browser };
  }

  #watchState(): StateWatch {
    return new StateWatch({
      stateDir: this.stateDir,
      lock: this.#lock,
      stateFile: this.#stateFile,
      onRestored: (message) => this.#log.write("warning", message),
      onLost: (reason) => {
        this.#log.write("error", `${reason}: this daemon ends`);
        void this.#shutDown({ isDisplaced: true });
      },
      onTrouble: (message, cause) => this.#log.write("error", message, cause),
    });
  }

  #readPolicy(): PolicyFiles {
    return new PolicyFiles({
      home: this.#settings.home,
      stateDir: this.stateDir,
      vocabulary: { commandsNamed, effects: EFFECTS },
      onChange: (path, problem) => {
        this.#log.write(problem ? "error" : "info", problem?.message ?? `The policy in "${path}" is in force`);
        void this.#listeners.reviewTunnel();
        this.browser.guard
          .renew()
          .catch((error: unknown) => this.#log.write("error", "The policy does not hold for loads", error));
      },
      onError: (error) => this.#log.write("error", "Changes of the policy are not noticed", error),
    });
  }

  #makeDispatcher(): Dispatcher {
    return new Dispatcher({
      daemon: this,
      sessions: this.browser.sessions,
      policy: {
        projectDir: this.projectDir,
        stateDir: this.stateDir,
        homeStateDir: this.#settings.home,
        made: new MadeFiles({
          ownFolders: [artifactsIn(this.stateDir)],
          record: join(this.stateDir, "made.jsonl"),
          onTrouble: (message, cause) => this.#log.write("error", message, cause),
        }),
      },
      observe: observeEffects,
      decide: (call) => this.#policy.decide(call),
      protect: async (tab, holder) => await this.browser.guard.protect(tab, holder),
      untilDeathsTold: () => this.browser.untilDeathsTold(),
      translate: translateDriverError,
      isLive: (token) => this.#listeners.tokens.isLive(token),
      recordDenial: this.#listeners.recordDenial,
      recorder: this.#records.recorder,
      publish: (topic, data, place) => this.#records.hub.publish(topic, data, place),
      logFault: (name, error) => this.#log.write("error", `"${name}" failed: ${error.message}`, error.cause ?? error),
    });
  }

  #makeListeners(): Listeners {
    const { launch, chromium, watchdog } = this.browser;
    return new Listeners({
      stateDir: this.stateDir,
      home: this.#settings.home,
      version: this.#version,
      hub: this.#records.hub,
      owns: ({ token }, tab) => this.browser.isOwned(tab, token),
      currentTab: ({ token }, session) =>
        this.browser.sessions.find(sessionMeant(token, session ?? SHARED_SESSION))?.current(token)?.id,
      lendTabs: async (ids, signal) => await this.browser.lendTabs(ids, signal),
      dispatch: this.#dispatch,
      handover: (clientVersion) => this.#handOver(clientVersion),
      checkLaunch: (wanted) => {
        if (checkLaunch(launch, chromium.state, wanted)) void this.#stateFile.relaunch(launch);
      },
      tunnelConfig: () => readConfig(this.#settings.home).tunnel,
      watchdog,
      journal: (entry) => this.#records.record(entry),
      log: this.#log.write.bind(this.#log),
    });
  }

  readonly #dispatch = async (
    caller: Caller,
    name: string,
    params: Record<string, unknown>,
    options: CallOptions,
  ): Promise<Answer> => {
    this.#idle.touch();
    // What became of the user's sessions is for those who work in them.
    const isTold = options.notify !== undefined && caller.token.tabs === "all";
    if (this.#lossNotice && isTold) {
      options.notify?.log("warning", this.#lossNotice);
      this.#lossNotice = undefined;
    }
    try {
      return await this.#dispatcher.call(caller, name, params, options);
    } finally {
      this.browser.sessions.lasting?.touch();
      if (isTold) for (const notice of this.browser.sessions.takeNotices()) options.notify?.log("warning", notice);
    }
  };

  #handOver(clientVersion: string): HandoverAnswer {
    const isBusy = this.#listeners.runningCalls > 1;
    const { headed } = this.browser.launch;
    const answer = handover({ daemon: this.#version, client: clientVersion, headed, isBusy });
    if (answer.restarting) void this.#shutDown({ ended: "replaced" });
    return answer;
  }

  #onBrowserGone(browser: BrowserExit): void {
    this.#records.hub.publish("daemon", { event: "browserGone" });
    // Before the driver tells each call that its tab is closed.
    this.#dispatcher.abandon(new BrowseError("browser_gone", "Chromium died"));
    const told = browser.describe().then((story) => this.#log.write("error", story));
    void this.#shutDown({ ended: "browser_gone", told });
  }

  #shutDown(how: Ending): Promise<void> {
    if (!this.#ending) setTimeout(() => this.#giveUp(), MAX_END_MS).unref();
    this.#ending ??= this.#end(how).catch((error: unknown) => {
      this.#log.write("error", "The shutdown failed", error);
      process.exit(1);
    });
    return this.#ending;
  }

  /** Something hangs: what is left is ended from outside. */
  #giveUp(): void {
    this.#log.write("error", `The shutdown took over ${MAX_END_MS} ms and is cut short`);
    this.browser.chromium.kill();
    this.#lock.release();
    // The watchdog removes what the browser leaves.
    process.exit(1);
  }

  /** First the door, then the answers, then the browser, then our traces. */
  async #end({ ended, told, launch = this.browser.launch, isDisplaced = false }: Ending): Promise<void> {
    this.#idle.stop();
    // Who stops this daemon from now on waits for the one that takes over.
    if (ended === "restart") announceStart(this.stateDir);
    this.#stateWatch?.close();
    this.#records.hub.publish("daemon", { event: "shuttingDown" });
    this.#records.hub.close();
    await (ended ? this.#stateFile.leave(ended, launch) : this.#stateFile.remove());
    await this.#listeners.close();
    // Of a browser that is gone, and in a folder that is another's, nothing is to be had.
    const hasLeft = ended === "browser_gone" || isDisplaced;
    if (!hasLeft) await this.browser.sessions.keep({ hasSuccessor: ended !== undefined });
    // In a folder that was removed it would make its profile again.
    await this.browser.close({ atOnce: isDisplaced });
    await this.#policy.close();
    if (!isDisplaced) await this.#records.flush();
    await told;
    this.#lock.release();
    if (ended === "restart") startSuccessor(this.stateDir);
    process.exit(0);
  }
}

/** What a person can act on goes to the client by way of the log; anything else is a fault with its stack. */
await main().catch((error: unknown) => {
  console.error(error instanceof BrowseError ? `${error.message}\n${error.hint}` : error);
  process.exit(1);
});
