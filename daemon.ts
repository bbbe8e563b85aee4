/**
 * The daemon: builds the parts, wires them, listens, shuts down. One runs per project, detached from whoever started
 * it. Read it from top to bottom as the map of the system.
 */
import { join } from "node:path";
import { translateDriverError } from "./browser/driver/errors.ts";
import type { BrowserExit } from "./browser/process/browser_exit.ts";
import { KeptSessions } from "./browser/sessions/kept_sessions.ts";
import { LastingSessions } from "./browser/sessions/lasting_sessions.ts";
import "./commands/mod.ts";
import { WatchedBrowser } from "./browser/watched_browser.ts";
import { BrowseError } from "./errors.ts";
import { observeEffects } from "./refs/effects/effects.ts";
import { noteElements } from "./refs/find/acted_on.ts";
import { pageProbe } from "./refs/page_probe.ts";
import { registerReader } from "./refs/reader.ts";
import { RefNumbers } from "./refs/ref_table.ts";
import type { Answer, Caller, CallOptions } from "./rpc/gate/call.ts";
import { Dispatcher } from "./rpc/gate/dispatch.ts";
import { adviceAtHand, adviceOnPage } from "./rpc/lifecycle/advice_at_hand.ts";
import { allowedFiles } from "./rpc/lifecycle/allowed_files.ts";
import { DaemonForCommands } from "./rpc/lifecycle/daemon_for_commands.ts";
import { DaemonLog } from "./rpc/lifecycle/daemon_log.ts";
import { Faults } from "./rpc/lifecycle/faults.ts";
import { type GuardedContent, guardContent } from "./rpc/lifecycle/guarded_content.ts";
import { IdleTimer } from "./rpc/lifecycle/idle_timer.ts";
import { checkLaunch, type HandoverAnswer, handover, launchAfter } from "./rpc/lifecycle/launch_settings.ts";
import { policyInForce } from "./rpc/lifecycle/policy_in_force.ts";
import { Records } from "./rpc/lifecycle/records.ts";
import { SessionNotices } from "./rpc/lifecycle/session_notices.ts";
import { Shutdown } from "./rpc/lifecycle/shutdown.ts";
import { runsOfSkills } from "./rpc/lifecycle/skill_runs.ts";
import { lossNotice, StateFile, writtenLaunch } from "./rpc/lifecycle/state_file.ts";
import { takeStateFolder } from "./rpc/lifecycle/state_folder.ts";
import { StateWatch } from "./rpc/lifecycle/state_watch.ts";
import { versionOf } from "./rpc/lifecycle/version.ts";
import { openRpcDocument } from "./rpc/methods/openrpc.ts";
import { Listeners } from "./rpc/wire/doors.ts";
import { deviceSaltIn } from "./security/files/device_salt.ts";
import { artifactsIn } from "./security/files/file_location.ts";
import { persistsAll, readConfig } from "./security/policy/config.ts";
import type { PolicyFiles } from "./security/policy/policy_files.ts";
import { type Environment, readEnvironment } from "./security/process/environment.ts";
import type { LifeLock } from "./security/process/life_lock.ts";
import { identityOf } from "./security/process/process_identity.ts";
import { endAnnounced } from "./security/process/starters.ts";
import { StateKeys } from "./security/states/state_key.ts";
import { StateStore } from "./security/states/state_store.ts";
import { newSecret } from "./security/tokens/token.ts";
import { Skills } from "./skills/skills.ts";

async function main(): Promise<void> {
  // An agent's shell that goes takes its children along; the daemon belongs to nobody's shell.
  process.on("SIGHUP", () => {});
  const settings = readEnvironment(process.env);
  const stateDir = settings.stateDir ?? join(process.cwd(), ".browse");
  const lock = await takeStateFolder(stateDir);
  if (lock) await new RunningDaemon(settings, stateDir, lock).listen();
}

class RunningDaemon {
  readonly #projectDir = process.cwd();
  readonly #stateDir: string;
  readonly #settings: Environment;
  readonly #lock: LifeLock;
  readonly #version = versionOf();
  readonly #startedAt = new Date();

  // What is written down, and what is told.
  readonly #log = new DaemonLog();
  readonly #records: Records;
  readonly #stateFile: StateFile;
  #stateWatch: StateWatch | undefined;
  readonly #notices: SessionNotices;
  readonly #onTrouble = (message: string, cause?: unknown) => this.#log.write("error", message, cause);
  readonly #faults = new Faults(this.#onTrouble);

  // Chromium and its sessions, watched from outside so that they cannot outlive us.
  readonly #browser: WatchedBrowser;

  // Two doors, and behind them one way in: every call of every client passes the dispatcher.
  readonly #listeners: Listeners;
  readonly #policy: PolicyFiles;
  readonly #dispatcher: Dispatcher;
  readonly #idle: IdleTimer;
  readonly #shutdown: Shutdown;
  readonly #daemon: DaemonForCommands;
  readonly #content: GuardedContent;
  readonly #skills: Skills;

  constructor(settings: Environment, stateDir: string, lock: LifeLock) {
    this.#settings = settings;
    this.#lock = lock;
    this.#stateDir = stateDir;
    const { home } = settings;
    const keys = new StateKeys(settings.stateKey);
    const onTrouble = this.#onTrouble;
    const sealKey = () => deviceSaltIn(home, onTrouble);
    this.#stateFile = new StateFile({ stateDir, sealKey, onTrouble });
    const previous = this.#stateFile.previous();
    const refs = new RefNumbers();
    const kept = new KeptSessions({ home, stateDir, refs, onFault: onTrouble });
    const lasting = new LastingSessions({ home, stateDir, keys, all: persistsAll(home), onFault: onTrouble });
    this.#notices = new SessionNotices(lossNotice(previous, kept.take(), [...lasting.names]), () =>
      this.#browser.sessions.takeNotices(),
    );
    this.#records = new Records({ stateDir, onTrouble });
    this.#browser = new WatchedBrowser({
      pages: { prepare: registerReader, follow: refs.follow, probe: pageProbe },
      settings,
      launch: launchAfter(previous, settings),
      stateDir,
      artifactsDir: artifactsIn(stateDir),
      projectDir: this.#projectDir,
      kept,
      lasting,
      denied: { isSet: () => this.#policy.hasDeniedHosts, denies: (url) => this.#policy.deniesLoad(url) },
      canaryOf: (holder) => this.#listeners.canaries.of(holder),
      onRefused: (tab, load) => this.#dispatcher.tellOfLoad(tab, load),
      onFault: onTrouble,
      publish: (topic, data, place) => this.#records.hub.publish(topic, data, place),
    });
    this.#content = guardContent(settings, {
      log: this.#log,
      publish: (data, place) => this.#records.hub.publish("security", data, place),
      record: (denial) => this.#listeners.recordDenial(denial),
    });
    const { layers } = this.#content;
    const publish = (event: object) => this.#records.hub.publish("skills", { ...event });
    const running = runsOfSkills(this.#browser, () => this.#listeners, onTrouble);
    this.#skills = new Skills({ stateDir, home, key: sealKey, layers, publish, onTrouble, running });
    this.#listeners = this.#makeListeners();
    this.#policy = this.#readPolicy();
    this.#idle = new IdleTimer({
      afterMs: settings.idleTimeoutMs,
      isHeld: () => this.#browser.hasWindow || this.#listeners.isBusy || this.#records.hub.subscriptionCount > 0,
      onIdle: () => this.#shutdown.begin({ ended: "idle" }),
    });
    const parts = { stateDir, browser: this.#browser, listeners: this.#listeners, records: this.#records };
    this.#shutdown = new Shutdown({
      ...parts,
      lock,
      log: this.#log,
      stateFile: this.#stateFile,
      stateWatch: () => this.#stateWatch,
      policy: this.#policy,
      skills: this.#skills,
      classifier: this.#content.layers.classifier,
      idle: this.#idle,
    });
    this.#daemon = new DaemonForCommands({
      ...parts,
      version: this.#version,
      maxHtmlBytes: settings.maxHtmlBytes,
      states: new StateStore(join(stateDir, "states"), keys),
      content: this.#content,
      skills: this.#skills,
      faults: this.#faults,
      shutdown: this.#shutdown,
      openRpc: () => openRpcDocument(this.#version),
    });
    this.#dispatcher = this.#makeDispatcher();
    this.#listeners.tokens.onRevoked((token) => {
      this.#dispatcher.revoke(token);
      this.#browser.guard.release(token);
    });
  }

  /** Opens the door, and writes down where it is. */
  async listen(): Promise<void> {
    for (const name of this.#settings.unknown) this.#log.write("warning", `Unknown environment variable ${name}`);
    const token = newSecret();
    await this.#listeners.listen(token, { port: this.#settings.port, health: () => this.#daemon.health() });
    void this.#browser.chromium.whenGone.then((browserExit) => this.#onBrowserGone(browserExit));
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => this.#shutdown.begin({}));
    const { pid, port, version, protocol } = this.#daemon.status();
    const startedAt = this.#startedAt.toISOString();
    const launch = writtenLaunch(this.#browser.launch);
    const { startTime = "" } = identityOf(pid) ?? {};
    await this.#stateFile.write({ pid, startTime, port, token, startedAt, version, protocol, ...launch });
    endAnnounced(this.#stateDir);
    this.#stateWatch = this.#watchState();
    void this.#policy.watch().then(() => this.#skills.watch.start());
    // Until here a start that fails is to end.
    this.#faults.catchAll();
    this.#log.write("info", `Listening on port ${port}`);
  }

  #watchState(): StateWatch {
    return new StateWatch({
      stateDir: this.#stateDir,
      lock: this.#lock,
      stateFile: this.#stateFile,
      onRestored: (message) => this.#log.write("warning", message),
      onLost: (reason) => {
        this.#log.write("error", `${reason}: this daemon ends`);
        this.#shutdown.begin({ isDisplaced: true });
      },
      onTrouble: this.#onTrouble,
    });
  }

  #readPolicy(): PolicyFiles {
    return policyInForce({
      home: this.#settings.home,
      stateDir: this.#stateDir,
      log: this.#log,
      apply: async () => {
        void this.#listeners.reviewTunnel();
        await this.#browser.guard.renew();
      },
    });
  }

  #makeDispatcher(): Dispatcher {
    const { home } = this.#settings;
    return new Dispatcher({
      daemon: this.#daemon,
      sessions: this.#browser.sessions,
      canaries: this.#listeners.canaries,
      policy: allowedFiles({ projectDir: this.#projectDir, stateDir: this.#stateDir, home, log: this.#log }),
      observe: observeEffects,
      noteElements,
      guard: this.#content.guard,
      advice: adviceAtHand(this.#skills.advisor, this.#log),
      onLeak: this.#content.log.leaked,
      decide: (call) => this.#policy.decide(call),
      protect: async (tab, holder) => await this.#browser.guard.protect(tab, holder),
      untilDeathsTold: () => this.#browser.untilDeathsTold(),
      translate: translateDriverError,
      isLive: (token) => this.#listeners.tokens.isLive(token),
      recordDenial: this.#listeners.recordDenial,
      recorder: this.#records.recorder,
      publish: (topic, data, place) => this.#records.hub.publish(topic, data, place),
      logFault: (name, error) => this.#log.write("error", `"${name}" failed: ${error.message}`, error.cause ?? error),
    });
  }

  #makeListeners(): Listeners {
    const { launch, chromium, watchdog } = this.#browser;
    return new Listeners({
      stateDir: this.#stateDir,
      home: this.#settings.home,
      version: this.#version,
      hub: this.#records.hub,
      owns: ({ token }, tab) => this.#browser.isOwned(tab, token),
      currentTab: ({ token }, session) => this.#browser.currentTab(token, session)?.id,
      adviceFor: adviceOnPage(this.#skills.advisor, () => this.#browser.sessions, this.#log),
      lendTabs: async (ids, signal) => await this.#browser.lendTabs(ids, signal),
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
    return await this.#notices.around(caller, options, async () => {
      try {
        return await this.#dispatcher.call(caller, name, params, options);
      } finally {
        this.#browser.sessions.lasting?.touch();
      }
    });
  };

  #handOver(clientVersion: string): HandoverAnswer {
    const now = { headed: this.#browser.launch.headed, isBusy: this.#listeners.runningCalls > 1 };
    const answer = handover({ ...now, daemon: this.#version, client: clientVersion });
    if (answer.restarting) this.#shutdown.begin({ ended: "replaced" });
    return answer;
  }

  #onBrowserGone(browser: BrowserExit): void {
    this.#records.hub.publish("daemon", { event: "browserGone" });
    // Before the driver tells each call that its tab is closed.
    this.#dispatcher.abandon(new BrowseError("browser_gone", "Chromium died"));
    const told = browser.describe().then((story) => this.#log.write("error", story));
    this.#shutdown.begin({ ended: "browser_gone", told });
  }
}

/** What a person can act on goes to the client by way of the log; anything else is a fault with its stack. */
await main().catch((error: unknown) => {
  console.error(error instanceof BrowseError ? `${error.message}\n${error.hint}` : error);
  process.exit(1);
});
