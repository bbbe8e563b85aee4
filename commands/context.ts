/** What commands may know of, and ask from, the daemon they run in. Built in `daemon.ts`. */
import type { HubFigures } from "../rpc/events/hub.ts";
import type { JournalEntry, JournalQuery } from "../rpc/events/journal.ts";
import type { CommandFigures } from "../rpc/events/metrics.ts";
import type { FaultFigures } from "../rpc/lifecycle/faults.ts";
import type { StateStore } from "../security/states/state_store.ts";
import type { Token } from "../security/tokens/token.ts";
import type { RemoteAccess } from "./remote_access.ts";

export interface DaemonStatus {
  pid: number;
  version: string;
  protocol: string;
  uptimeMs: number;
  port: number;
  stateDir: string;
  browser: "none" | "starting" | "running" | "gone";
  browserVersion?: string;
  headed: boolean;
  proxy?: string;
  /** Nothing sees to it any more that the browser ends with the daemon. */
  isUnwatched?: true;
  connections: number;
  sessions: { name: string; tabs: number }[];
  memoryBytes: number;
  /** Calls so far, by command; those called most come first. */
  calls: CommandFigures[];
  events: HubFigures;
  /** Calls that run now. */
  runningCalls: number;
  faults: FaultFigures;
}

export interface RestartOptions {
  headed?: boolean;
  proxy?: string;
}

export interface Daemon {
  readonly stateDir: string;
  /** Saved states of this project. */
  readonly states: StateStore;
  /** Who else may come in. */
  readonly remote: RemoteAccess;
  /** Largest document that `load-html` shows. */
  readonly maxHtmlBytes: number;
  status(): DaemonStatus;
  /** Calls so far of one holder of tokens, by command. */
  callsOf(holder: Token): CommandFigures[];
  readonly browser: BrowserControl;
  /** Shuts down once the running answer has been sent. */
  stop(): void;
  /** Shuts down once the running answer has been sent, and leaves a successor with the same settings. */
  restart(options: RestartOptions): void;
  /** The record of calls, up to the last one that has ended. */
  journal(query: JournalQuery): Promise<JournalEntry[]>;
  /** The OpenRPC document of this daemon. */
  openRpc(): Record<string, unknown>;
  /** Throws `unknown_command`, with what another tool's name for it is called here. */
  helpFor(name: string): string;
  helpOverview(): string;
  /** The script that teaches the shell our commands. */
  completionFor(shell: "bash" | "zsh" | "fish"): string;
}

export interface BrowserControl {
  /** Launches Chromium now instead of at the first command that needs it. */
  start(): Promise<void>;
  doctor(options: DoctorRequest): Promise<DoctorLine[]>;
  /** Finds a Chromium, or installs one. Throws `no_browser`. */
  setUp(options: { say: (text: string) => void; signal: AbortSignal }): Promise<BrowserFound>;
}

export interface DoctorRequest {
  /** Mend what can be mended without losing anything. */
  fix: boolean;
  /** The one that the daemon listens on. */
  port: number;
  faults: FaultFigures;
}

export interface BrowserFound {
  path: string;
  source: "BROWSE_CHROMIUM" | "playwright" | "system";
  /** It was not there before. */
  installed: boolean;
}

export interface DoctorLine {
  check: string;
  ok: boolean;
  detail: string;
  /** What to run or change; present on each failing line, and where something could be better. */
  fix?: string;
}
