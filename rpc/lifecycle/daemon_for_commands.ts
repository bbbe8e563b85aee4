/** The running daemon as its commands know it: how it is, what it has recorded, and ways to end it. */
import type { WatchedBrowser } from "../../browser/watched_browser.ts";
import type { ContentLayers, Daemon, DaemonStatus, RestartOptions } from "../../commands/context.ts";
import type { RemoteAccess } from "../../commands/remote_access.ts";
import type { StateStore } from "../../security/states/state_store.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { Skills } from "../../skills/skills.ts";
import type { JournalEntry, JournalQuery } from "../events/journal.ts";
import type { CommandFigures } from "../events/metrics.ts";
import type { ContentFigures } from "../gate/guard/content_log.ts";
import { completionFor } from "../line/completion.ts";
import { helpNamed, helpOverview } from "../line/help.ts";
import { type Health, PROTOCOL_VERSION } from "../protocol.ts";
import type { Listeners } from "../wire/doors.ts";
import type { Faults } from "./faults.ts";
import type { GuardedContent } from "./guarded_content.ts";
import { launchFor, modeOf } from "./launch_settings.ts";
import type { Records } from "./records.ts";
import type { Shutdown } from "./shutdown.ts";

export interface KnownParts {
  version: string;
  stateDir: string;
  maxHtmlBytes: number;
  states: StateStore;
  content: GuardedContent;
  skills: Skills;
  browser: WatchedBrowser;
  listeners: Listeners;
  records: Records;
  faults: Faults;
  shutdown: Shutdown;
  openRpc: () => Record<string, unknown>;
}

export class DaemonForCommands implements Daemon {
  readonly stateDir: string;
  readonly maxHtmlBytes: number;
  readonly states: StateStore;
  readonly content: ContentLayers;
  readonly skills: Skills;
  readonly browser: WatchedBrowser;
  readonly openRpc: () => Record<string, unknown>;
  readonly helpFor = helpNamed;
  readonly helpOverview = helpOverview;
  readonly completionFor = completionFor;
  readonly #parts: KnownParts;
  readonly #started = performance.now();

  constructor(parts: KnownParts) {
    const { stateDir, maxHtmlBytes, states, content, skills, browser, openRpc } = parts;
    this.stateDir = stateDir;
    this.maxHtmlBytes = maxHtmlBytes;
    this.states = states;
    this.content = content.layers;
    this.skills = skills;
    this.browser = browser;
    this.openRpc = openRpc;
    this.#parts = parts;
  }

  get remote(): RemoteAccess {
    return this.#parts.listeners;
  }

  status(): DaemonStatus {
    const { version, stateDir, browser, listeners, records, faults } = this.#parts;
    return {
      ...browser.status,
      pid: process.pid,
      version,
      protocol: PROTOCOL_VERSION,
      uptimeMs: Math.round(performance.now() - this.#started),
      port: listeners.port,
      stateDir,
      connections: listeners.connectionCount,
      memoryBytes: process.memoryUsage.rss(),
      calls: records.metrics.commands,
      events: records.hub.figures,
      runningCalls: listeners.runningCalls,
      faults: faults.figures,
      classifier: this.content.classifier.status(),
    };
  }

  /** For whoever asks without a token. */
  health(): Health {
    const { version, protocol, browser, uptimeMs } = this.status();
    return { status: "ok", version, protocol, mode: modeOf(this.browser.launch), uptimeMs, browser };
  }

  get contentFigures(): ContentFigures {
    return this.#parts.content.log.figures;
  }

  callsOf(holder: Token): CommandFigures[] {
    return this.#parts.records.callsOf(holder);
  }

  async journal(query: JournalQuery): Promise<JournalEntry[]> {
    return await this.#parts.records.journal(query);
  }

  digestOf(value: string): string {
    return this.#parts.records.recorder.memory.digestOf(value);
  }

  stop(): void {
    this.#parts.shutdown.begin({});
  }

  restart(options: RestartOptions): void {
    this.#parts.shutdown.begin({ ended: "restart", launch: launchFor(options, this.browser.launch) });
  }
}
