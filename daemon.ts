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
import { Sessions } from "./browser/sessions.ts";
import { type SetUpOptions, setUpChromium } from "./browser/set_up.ts";
import { SCOPES } from "./commands/command.ts";
import type { BrowserFound, Daemon, DaemonStatus, DoctorLine, RestartOptions } from "./commands/daemon.ts";
import "./commands/mod.ts";
import { observeEffects } from "./refs/effects.ts";
import { registerReader } from "./refs/reader.ts";
import { followRefs } from "./refs/table.ts";
import type { Answer, Caller, CallOptions } from "./rpc/call.ts";
import { makeCliExec } from "./rpc/cli_exec.ts";
import { completionFor } from "./rpc/completion.ts";
import { DaemonLog } from "./rpc/daemon_log.ts";
import { Dispatcher } from "./rpc/dispatch.ts";
import { BrowseError } from "./rpc/errors.ts";
import { helpFor, helpOverview } from "./rpc/help.ts";
import { IdleTimer } from "./rpc/idle_timer.ts";
import type { JournalEntry, JournalQuery } from "./rpc/journal.ts";
import { checkLaunch, type HandoverAnswer, handover, type LaunchSettings, modeOf } from "./rpc/launch_settings.ts";
import { openRpcDocument } from "./rpc/openrpc.ts";
import { PROTOCOL_VERSION } from "./rpc/protocol.ts";
import { Records } from "./rpc/records.ts";
import { type RpcServer, startRpcServer } from "./rpc/server.ts";
import { type DaemonState, lossNotice, StateFile } from "./rpc/state_file.ts";
import { startSuccessor } from "./rpc/successor.ts";
import { type Environment, readEnvironment } from "./security/environment.ts";
import { LifeLock } from "./security/life_lock.ts";
import { MadeFiles } from "./security/made_files.ts";
import { ensurePrivateDir } from "./security/private_file.ts";
import { identityOf, type ProcessIdentity } from "./security/process_identity.ts";
import { StateKeys } from "./security/state_key.ts";
import { StateStore } from "./security/state_store.ts";
import { newSecret, TokenRegistry } from "./security/token.ts";
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
  readonly #records: Records;
  readonly #stateFile: StateFile;
  #lossNotice: string | undefined;

  // The browser, watched from outside so that it cannot outlive us.
  readonly #launch: LaunchSettings;
  readonly #watchdog: Watchdog;
  readonly #chromium: Chromium;
  readonly #sessions: Sessions;
  #watched: ProcessIdentity | undefined;

  // The one way in: every call of every client passes the dispatcher.
  readonly #dispatcher: Dispatcher;
  readonly #idle: IdleTimer;
  #server: RpcServer | undefined;
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
    this.#records = new Records({ stateDir, onTrouble });
    this.#launch = { headed: settings.headed, proxy: settings.proxy };
    this.#watchdog = new Watchdog({ stateDir, onTrouble });
    this.#chromium = new Chromium({
      launch: this.#launch,
      sandbox: this.#isSandboxed,
      executablePath: async () => (await chromiumExecutable(settings.chromium)).path,
      prepare: registerReader,
      onProcess: (process) => this.#watch(process),
    });
    this.#sessions = new Sessions({
      provider: this.#chromium,
      artifactsDir: this.artifactsDir,
      dialogPolicy: () => (this.#launch.headed ? "ask" : "accept"),
      onTab: followRefs,
      onFault: onTrouble,
      report: (topic, data, place) => this.#records.hub.publish(topic, data, place),
    });
    this.#dispatcher = this.#makeDispatcher();
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
    this.#server = await this.#startServer(token);
    void this.#chromium.whenGone.then(() => this.#onBrowserGone());
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void this.#shutDown({}));
    await this.#stateFile.write({
      pid: process.pid,
      port: this.#server.port,
      token,
      startedAt: this.#startedAt.toISOString(),
      version: this.#version,
      protocol: PROTOCOL_VERSION,
      mode: modeOf(this.#launch),
    });
    this.#log.write("info", `Listening on port ${this.#server.port}`);
  }

  status(): DaemonStatus {
    const { version: browserVersion } = this.#chromium;
    return {
      pid: process.pid,
      version: this.#version,
      protocol: PROTOCOL_VERSION,
      uptimeMs: this.#uptimeMs,
      port: this.#server?.port ?? 0,
      stateDir: this.stateDir,
      browser: this.#chromium.state,
      ...(browserVersion ? { browserVersion } : {}),
      headed: this.#launch.headed,
      ...(this.#launch.proxy ? { proxy: this.#launch.proxy } : {}),
      connections: this.#server?.connectionCount ?? 0,
      sessions: this.#sessions.all.map(({ name, tabs }) => ({ name, tabs: tabs.length })),
      memoryBytes: process.memoryUsage.rss(),
      calls: this.#records.metrics.commands,
      events: this.#records.hub.figures,
      runningCalls: this.#server?.runningCalls ?? 0,
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
    return await this.#records.journal(query);
  }

  openRpc(): Record<string, unknown> {
    return openRpcDocument(this.#version);
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
    return hasWindow || (this.#server?.runningCalls ?? 0) > 0 || this.#records.hub.subscriptionCount > 0;
  }

  get #uptimeMs(): number {
    return Math.round(performance.now() - this.#started);
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
      translate: translateDriverError,
      recorder: this.#records.recorder,
      logFault: (name, error) => this.#log.write("error", `"${name}" failed: ${error.message}`, error.cause ?? error),
    });
  }

  async #startServer(token: string): Promise<RpcServer> {
    const tokens = new TokenRegistry();
    tokens.add(token, { kind: "root", name: "root", scopes: new Set(SCOPES) });
    const shared = {
      version: this.#version,
      dispatch: this.#dispatch,
      log: this.#log.write.bind(this.#log),
    };
    return await startRpcServer({
      ...shared,
      port: this.#settings.port,
      tokens,
      hub: this.#records.hub,
      cliExec: makeCliExec({
        ...shared,
        helpFor,
        helpOverview,
        checkLaunch: (wanted) => checkLaunch(this.#launch, this.#chromium.state, wanted),
      }),
      handover: (clientVersion) => this.#handOver(clientVersion),
      openRpc: () => this.openRpc(),
      health: () => ({ mode: modeOf(this.#launch), uptimeMs: this.#uptimeMs, browser: this.#chromium.state }),
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
    const isBusy = (this.#server?.runningCalls ?? 0) > 1;
    const answer = handover({ daemon: this.#version, client: clientVersion, headed: this.#launch.headed, isBusy });
    if (answer.restarting) void this.#shutDown({});
    return answer;
  }

  #watch({ pid, profileDir }: BrowserProcess): void {
    this.#records.hub.publish("daemon", { event: "browserUp", pid });
    this.#watched = identityOf(pid);
    if (this.#watched) this.#watchdog.watch(this.#watched, profileDir ? [profileDir] : []);
  }

  async #onBrowserGone(): Promise<void> {
    this.#log.write("error", "Chromium ended by itself");
    this.#records.hub.publish("daemon", { event: "browserGone" });
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
    this.#records.hub.publish("daemon", { event: "shuttingDown" });
    this.#records.hub.close();
    if (ended) await this.#stateFile.leave(ended);
    else this.#stateFile.remove();
    await this.#server?.close();
    await this.#chromium.close();
    if (this.#watched) this.#watchdog.unwatch(this.#watched);
    await this.#watchdog.close();
    await this.#records.flush();
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
