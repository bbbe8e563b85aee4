/**
 * The daemon: builds the parts, wires them, listens, shuts down. One runs per project, detached from whoever started
 * it. Read it from top to bottom as the map of the system.
 */
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type BrowserProcess, Chromium } from "./browser/chromium.ts";
import { runDoctor } from "./browser/doctor.ts";
import { translateDriverError } from "./browser/driver_errors.ts";
import { chromiumExecutable } from "./browser/executable.ts";
import { LoadGuard } from "./browser/load_guard.ts";
import { Sessions } from "./browser/sessions.ts";
import { type SetUpOptions, setUpChromium } from "./browser/set_up.ts";
import { EFFECTS, findCommand } from "./commands/command.ts";
import type { BrowserFound, Daemon, DaemonStatus, DoctorLine, RestartOptions } from "./commands/daemon.ts";
import type { RemoteAccess } from "./commands/remote_access.ts";
import "./commands/mod.ts";
import { Listeners } from "./listeners.ts";
import { observeEffects } from "./refs/effects.ts";
import { registerReader } from "./refs/reader.ts";
import { followRefs } from "./refs/table.ts";
import type { Answer, Caller, CallOptions } from "./rpc/call.ts";
import { CallRecorder } from "./rpc/call_record.ts";
import { makeCliExec } from "./rpc/cli_exec.ts";
import { completionFor } from "./rpc/completion.ts";
import { DaemonLog } from "./rpc/daemon_log.ts";
import { Dispatcher } from "./rpc/dispatch.ts";
import { BrowseError } from "./rpc/errors.ts";
import { EventFiles } from "./rpc/event_files.ts";
import { EventHub } from "./rpc/events.ts";
import { helpFor, helpOverview } from "./rpc/help.ts";
import { IdleTimer } from "./rpc/idle_timer.ts";
import { type JournalEntry, type JournalQuery, readJournal } from "./rpc/journal.ts";
import { JsonLinesFile } from "./rpc/json_lines_file.ts";
import { checkLaunch, type HandoverAnswer, handover, type LaunchSettings, modeOf } from "./rpc/launch_settings.ts";
import { MemoryRelief } from "./rpc/memory_relief.ts";
import { Metrics } from "./rpc/metrics.ts";
import { openRpcDocument } from "./rpc/openrpc.ts";
import { type Health, PROTOCOL_VERSION } from "./rpc/protocol.ts";
import { type DaemonState, lossNotice, StateFile } from "./rpc/state_file.ts";
import { startSuccessor } from "./rpc/successor.ts";
import { readConfig } from "./security/config.ts";
import { type Environment, readEnvironment } from "./security/environment.ts";
import { LifeLock } from "./security/life_lock.ts";
import { MadeFiles } from "./security/made_files.ts";
import { ownsTab } from "./security/ownership.ts";
import { PolicyFiles } from "./security/policy/files.ts";
import { ensurePrivateDir } from "./security/private_file.ts";
import { identityOf, type ProcessIdentity } from "./security/process_identity.ts";
import { StateKeys } from "./security/state_key.ts";
import { StateStore } from "./security/state_store.ts";
import { newSecret } from "./security/token.ts";
import { reapOrphan, Watchdog } from "./security/watchdog.ts";

/** Set by the build; absent when the source is run as it is. */
declare const __BROWSE_VERSION__: string;

interface Ending {
  /** Why, when nobody asked for it. */
  ended?: NonNullable<DaemonState["ended"]>;
  /** Another daemon is to take over. */
  successor?: RestartOptions;
}

async function main(): Promise<void> {
  // An agent's shell that goes takes its children along; the daemon belongs to nobody's shell.
  process.on("SIGHUP", () => {});
  const settings = readEnvironment(process.env);
  const stateDir = settings.stateDir ?? join(process.cwd(), ".browse");
  await ensurePrivateDir(stateDir);
  const taken = await LifeLock.acquire(stateDir);
  if ("held" in taken) return;
  await reapOrphan(stateDir);
  await mkdir(join(stateDir, "artifacts"), { recursive: true, mode: 0o700 });
  await new RunningDaemon(settings, stateDir, taken.lock).listen();
}

class RunningDaemon implements Daemon {
  readonly projectDir = process.cwd();
  readonly stateDir: string;
  readonly artifactsDir: string;
  readonly maxHtmlBytes: number;
  readonly states: StateStore;
  readonly #settings: Environment;
  readonly #lock: LifeLock;
  readonly #version = versionOf();
  readonly #startedAt = new Date();
  readonly #started = performance.now();

  // What is written down, and what is told.
  readonly #log = new DaemonLog();
  readonly #files: EventFiles;
  readonly #hub: EventHub;
  readonly #journal: JsonLinesFile;
  readonly #metrics = new Metrics();
  readonly #stateFile: StateFile;
  #lossNotice: string | undefined;

  // The browser, watched from outside so that it cannot outlive us.
  readonly #launch: LaunchSettings;
  readonly #watchdog: Watchdog;
  readonly #chromium: Chromium;
  readonly #guard: LoadGuard;
  readonly #sessions: Sessions;
  #watched: ProcessIdentity | undefined;

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
    this.artifactsDir = join(stateDir, "artifacts");
    this.maxHtmlBytes = settings.maxHtmlBytes;
    this.states = new StateStore(join(stateDir, "states"), new StateKeys(settings.stateKey));
    this.#stateFile = new StateFile(stateDir);
    this.#lossNotice = lossNotice(this.#stateFile.previous());
    const onTrouble = (message: string, cause?: unknown) => this.#log.write("error", message, cause);
    this.#files = new EventFiles(stateDir, onTrouble);
    const relief = new MemoryRelief({ isBusy: () => this.#listeners.runningCalls > 0 });
    this.#hub = new EventHub({
      keep: (event) => {
        this.#files.keep(event);
        relief.note();
      },
    });
    this.#journal = new JsonLinesFile(join(stateDir, "journal.jsonl"), { onTrouble });
    this.#launch = { headed: settings.headed, proxy: settings.proxy };
    this.#watchdog = new Watchdog({ stateDir, onTrouble });
    this.#chromium = new Chromium({
      launch: this.#launch,
      sandbox: this.#isSandboxed,
      executablePath: async () => (await chromiumExecutable(settings.chromium)).path,
      prepare: registerReader,
      onProcess: (process) => this.#watch(process),
    });
    this.#guard = new LoadGuard({
      resolvedElsewhere: () => this.#launch.proxy !== undefined,
      onRefused: (tab, load) => this.#dispatcher.tellOfLoad(tab, load),
    });
    this.#sessions = new Sessions({
      provider: this.#chromium,
      artifactsDir: this.artifactsDir,
      dialogPolicy: () => (this.#launch.headed ? "ask" : "accept"),
      guard: this.#guard,
      onTab: (tab) => {
        followRefs(tab);
        this.#guard.watch(tab);
      },
      onFault: onTrouble,
      report: (topic, data, place) => this.#hub.publish(topic, data, place),
    });
    this.#policy = this.#readPolicy();
    this.#listeners = this.#makeListeners();
    this.#dispatcher = this.#makeDispatcher();
    this.#listeners.tokens.onRevoked((token) => {
      this.#dispatcher.revoke(token);
      this.#guard.release(token);
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
    void this.#chromium.whenGone.then(() => this.#onBrowserGone());
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void this.#shutDown({}));
    await this.#stateFile.write({
      pid: process.pid,
      port: this.#listeners.port,
      token,
      startedAt: this.#startedAt.toISOString(),
      version: this.#version,
      protocol: PROTOCOL_VERSION,
      mode: modeOf(this.#launch),
    });
    void this.#policy.watch();
    this.#log.write("info", `Listening on port ${this.#listeners.port}`);
  }

  status(): DaemonStatus {
    const { version: browserVersion } = this.#chromium;
    return {
      pid: process.pid,
      version: this.#version,
      protocol: PROTOCOL_VERSION,
      uptimeMs: this.#uptimeMs,
      port: this.#listeners.port,
      stateDir: this.stateDir,
      browser: this.#chromium.state,
      ...(browserVersion ? { browserVersion } : {}),
      headed: this.#launch.headed,
      ...(this.#launch.proxy ? { proxy: this.#launch.proxy } : {}),
      connections: this.#listeners.connectionCount,
      sessions: this.#sessions.all.map(({ name, tabs }) => ({ name, tabs: tabs.length })),
      memoryBytes: process.memoryUsage.rss(),
      calls: this.#metrics.commands,
      events: this.#hub.figures,
      runningCalls: this.#listeners.runningCalls,
    };
  }

  async startBrowser(): Promise<void> {
    await this.#chromium.open();
  }

  stop(): void {
    void this.#shutDown({});
  }

  restart(successor: RestartOptions): void {
    void this.#shutDown({ successor });
  }

  async doctor({ fix }: { fix: boolean }): Promise<DoctorLine[]> {
    const { chromium } = this.#settings;
    return await runDoctor({ fix, stateDir: this.stateDir, chromium, sandboxed: this.#isSandboxed });
  }

  async setUpBrowser(options: SetUpOptions): Promise<BrowserFound> {
    return await setUpChromium(this.#settings.chromium, options);
  }

  async journal(query: JournalQuery): Promise<JournalEntry[]> {
    await this.#journal.flush();
    return await readJournal(join(this.stateDir, "journal.jsonl"), query);
  }

  openRpc(): Record<string, unknown> {
    return openRpcDocument(this.#version);
  }

  get remote(): RemoteAccess {
    return this.#listeners;
  }

  readonly helpFor = helpFor;
  readonly helpOverview = helpOverview;
  readonly completionFor = completionFor;

  /** Chromium's sandbox does not work for root. */
  get #isSandboxed(): boolean {
    return !this.#settings.noSandbox && process.getuid?.() !== 0;
  }

  /** Something keeps an idle daemon alive. */
  get #isHeld(): boolean {
    const hasWindow = this.#launch.headed && this.#chromium.state === "running";
    return hasWindow || this.#listeners.isBusy || this.#hub.subscriptionCount > 0;
  }

  #health(): Health {
    const protocol = PROTOCOL_VERSION;
    const { mode, browser } = { mode: modeOf(this.#launch), browser: this.#chromium.state };
    return { status: "ok", version: this.#version, protocol, mode, uptimeMs: this.#uptimeMs, browser };
  }

  get #uptimeMs(): number {
    return Math.round(performance.now() - this.#started);
  }

  #readPolicy(): PolicyFiles {
    return new PolicyFiles({
      home: this.#settings.home,
      stateDir: this.stateDir,
      vocabulary: { commandNamed: (name) => findCommand(name)?.name, effects: EFFECTS },
      onChange: (path, problem) =>
        this.#log.write(problem ? "error" : "info", problem?.message ?? `The policy in "${path}" is in force`),
      onError: (error) => this.#log.write("error", "Changes of the policy are not noticed", error),
    });
  }

  #makeDispatcher(): Dispatcher {
    return new Dispatcher({
      daemon: this,
      sessions: this.#sessions,
      policy: {
        projectDir: this.projectDir,
        stateDir: this.stateDir,
        homeStateDir: this.#settings.home,
        made: new MadeFiles({ ownFolders: [this.artifactsDir] }),
      },
      observe: observeEffects,
      decide: (call) => this.#policy.decide(call),
      protect: async (tab, holder) => await this.#guard.protect(tab, holder),
      translate: translateDriverError,
      isLive: (token) => this.#listeners.tokens.isLive(token),
      recordDenial: this.#listeners.recordDenial,
      publish: (topic, data, place) => this.#hub.publish(topic, data, place),
      recorder: new CallRecorder({
        record: (entry) => {
          this.#journal.append(entry);
          this.#metrics.note(entry);
        },
        publish: (topic, data, place) => this.#hub.publish(topic, data, place),
      }),
      logFault: (name, error) => this.#log.write("error", `"${name}" failed: ${error.message}`, error.cause ?? error),
    });
  }

  #makeListeners(): Listeners {
    const shared = {
      version: this.#version,
      dispatch: this.#dispatch,
      log: this.#log.write.bind(this.#log),
    };
    const cliExec = makeCliExec({
      ...shared,
      helpFor,
      helpOverview,
      checkLaunch: (wanted) => checkLaunch(this.#launch, this.#chromium.state, wanted),
    });
    return new Listeners({
      home: this.#settings.home,
      wire: {
        ...shared,
        hub: this.#hub,
        owns: ({ token }, id) => {
          const tab = this.#sessions.tab(id);
          return tab !== undefined && ownsTab(token, tab);
        },
        cliExec,
        handover: (clientVersion) => this.#handOver(clientVersion),
        openRpc: (via) => openRpcDocument(this.#version, via),
      },
      tunnelConfig: () => readConfig(this.#settings.home).tunnel,
      watchdog: this.#watchdog,
    });
  }

  readonly #dispatch = async (
    caller: Caller,
    name: string,
    params: Record<string, unknown>,
    options: CallOptions,
  ): Promise<Answer> => {
    this.#idle.touch();
    if (this.#lossNotice && options.notify) {
      options.notify.log("warning", this.#lossNotice);
      this.#lossNotice = undefined;
    }
    return await this.#dispatcher.call(caller, name, params, options);
  };

  #handOver(clientVersion: string): HandoverAnswer {
    const isBusy = this.#listeners.runningCalls > 1;
    const answer = handover({ daemon: this.#version, client: clientVersion, headed: this.#launch.headed, isBusy });
    if (answer.restarting) void this.#shutDown({});
    return answer;
  }

  #watch({ pid, profileDir }: BrowserProcess): void {
    this.#hub.publish("daemon", { event: "browserUp", pid });
    this.#watched = identityOf(pid);
    if (this.#watched) this.#watchdog.watch(this.#watched, profileDir ? [profileDir] : []);
  }

  async #onBrowserGone(): Promise<void> {
    this.#log.write("error", "Chromium ended by itself");
    this.#hub.publish("daemon", { event: "browserGone" });
    this.#dispatcher.abandon(new BrowseError("browser_gone", "Chromium died"));
    await this.#shutDown({ ended: "browser_gone" });
  }

  #shutDown(how: Ending): Promise<void> {
    this.#ending ??= this.#end(how).catch((error: unknown) => {
      this.#log.write("error", "The shutdown failed", error);
      process.exit(1);
    });
    return this.#ending;
  }

  /** First the door, then the answers, then the browser, then our traces. */
  async #end({ ended, successor }: Ending): Promise<void> {
    this.#idle.stop();
    this.#hub.publish("daemon", { event: "shuttingDown" });
    this.#hub.close();
    if (ended) await this.#stateFile.leave(ended);
    else this.#stateFile.remove();
    await this.#listeners.close();
    await this.#chromium.close();
    if (this.#watched) this.#watchdog.unwatch(this.#watched);
    await this.#watchdog.close();
    await this.#policy.close();
    await Promise.all([this.#journal.flush(), this.#files.flush()]);
    this.#lock.release();
    if (successor) startSuccessor(successor, this.#launch, this.stateDir);
    process.exit(0);
  }
}

function versionOf(): string {
  if (typeof __BROWSE_VERSION__ !== "undefined") return __BROWSE_VERSION__;
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
  return String((manifest as { version: unknown }).version);
}

/** What a person can act on goes to the client by way of the log; anything else is a fault with its stack. */
await main().catch((error: unknown) => {
  console.error(error instanceof BrowseError ? `${error.message}\n${error.hint}` : error);
  process.exit(1);
});
