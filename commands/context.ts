/** What handlers may use of a call, and know of the daemon that they run in. */
import type { Frame } from "playwright";
import type { SeenCapture } from "../browser/capture/lent_capture.ts";
import type { EffectReport } from "../browser/effect_report.ts";
import type { Session } from "../browser/sessions/session.ts";
import type { Sessions } from "../browser/sessions/sessions.ts";
import type { Tab } from "../browser/tabs/tab.ts";
import type { Unmet } from "../browser/unmet.ts";
import type { HubFigures } from "../rpc/events/hub.ts";
import type { JournalEntry, JournalQuery } from "../rpc/events/journal.ts";
import type { CommandFigures } from "../rpc/events/metrics.ts";
import type { FollowEnd, FollowParams } from "../rpc/gate/call.ts";
import type { ContentFigures } from "../rpc/gate/guard/content_log.ts";
import type { FaultFigures } from "../rpc/lifecycle/faults.ts";
import type { Classifier, ClassifierStatus } from "../security/content/classifier/classifier.ts";
import type { Finding } from "../security/content/finding.ts";
import type { TranscriptCheck } from "../security/content/transcript_check.ts";
import type { FileContent } from "../security/files/create_file.ts";
import type { StateStore } from "../security/states/state_store.ts";
import type { Token } from "../security/tokens/token.ts";
import type { Skills } from "../skills/skills.ts";
import type { Command, CommandResult } from "./command.ts";
import type { Confirming } from "./confirming.ts";
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
  classifier: ClassifierStatus;
}

/** Those layers of the content guard that take time. */
export interface ContentLayers {
  readonly classifier: Pick<Classifier, "score" | "status">;
  readonly transcriptCheck: Pick<TranscriptCheck, "score">;
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
  readonly content: ContentLayers;
  readonly skills: Skills;
  /** Largest document that `load-html` shows. */
  readonly maxHtmlBytes: number;
  status(): DaemonStatus;
  /** Answers so far by the content guard's verdict. */
  readonly contentFigures: ContentFigures;
  /** Calls so far of one holder of tokens, by command. */
  callsOf(holder: Token): CommandFigures[];
  readonly browser: BrowserControl;
  /** Shuts down once the running answer has been sent. */
  stop(): void;
  /** Shuts down once the running answer has been sent, and leaves a successor with the same settings. */
  restart(options: RestartOptions): void;
  /** The record of calls, up to the last one that has ended. */
  journal(query: JournalQuery): Promise<JournalEntry[]>;
  /** Of a value that was typed, as the journal has it of those that it does not show. */
  digestOf(value: string): string;
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
  classifier: ClassifierStatus;
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

/** What every handler can use. */
export interface BaseContext {
  readonly daemon: Daemon;
  readonly sessions: Sessions;
  /** Aborted at the deadline, on cancellation, and when the caller of a read goes away. */
  readonly signal: AbortSignal;
  /** Milliseconds this call may take in all. */
  readonly timeoutMs: number;
  /** What the call waits for now: `tell` is asked when the deadline has passed, for the error that says so. */
  waitsFor(tell: () => Unmet): void;
  /** The folder the caller stands in: relative paths mean this one. */
  readonly cwd: string;
  /** Where files go that the caller names no path for. */
  readonly artifactsDir: string;
  log(level: "debug" | "info" | "warning", message: string): void;
  progress(done: number, total?: number, unit?: string): void;
  /**
   * Puts a part of the answer's text on the caller's terminal at once. Of plain answers only, which carry nothing of a
   * page; absent where the answer goes whole into a file, or to a program.
   */
  readonly stream?: (text: string) => void;
  /**
   * Puts events on the caller's terminal as they come, until the time is over or the daemon ends; absent for callers without one. Throws
   * `invalid_params` and `forbidden`.
   */
  readonly follow?: (events: FollowParams) => Promise<FollowEnd>;
  /**
   * Writes a file whose path came in by a param marked as one, or one in `artifactsDir`: whole or not at
   * all, and gone again should the call fail. Resolves to its size in bytes.
   */
  save(path: string, content: FileContent): Promise<number>;
  /** Who calls: whose the tabs and sessions become that are opened. */
  readonly holder: Token;
  /** May the caller see what is in that tab? */
  owns(tab: Tab): boolean;
  /** May the caller be told of this address, by the domains that it is held to? */
  mayKnow(url: string): boolean;
  /** To be asked before each hop of something that is fetched on behalf of the caller. Throws `blocked_url`. */
  checkHop(url: string): Promise<void>;
  /** An address that came from elsewhere than the params, as this caller may load it. Throws `blocked_url`. */
  checkUrl(url: string): string;
  /** Calls that wait for a person to allow them, as this caller may. */
  readonly confirmations: Confirming;
  /** Tells the content guard what was seen of a page beside its words: text that is hidden, a name that says something else. */
  found(finding: Finding): void;
  /** Asks whoever sits at the caller's terminal; undefined when nobody does. */
  ask(question: string): Promise<string | undefined>;
  /**
   * Has a person agree to what the call has made: with the root token whoever sits at the terminal, for other tokens somebody
   * else, by `confirm`. Throws `confirmation_required` for the latter, and `forbidden` for a no, or where nobody can be asked.
   */
  agree(agreement: Agreement): Promise<void>;
  /** What is done with this token, which the call has made, is done by the call: it is told of where that is cut short. */
  lent(token: Token): void;
  /** Another command line as this caller: parsed and authorized now, run through the whole gate later. */
  prepare(argv: readonly string[]): PreparedCall;
}

/** What a person is to agree to. */
export interface Agreement {
  /** All of it, as it is shown. */
  shown: string;
  question: string;
  /** The same for the same thing: a yes is to nothing else. */
  whole: string;
}

/** A command line that may run: nothing about it is left to refuse but what the page decides. */
export interface PreparedCall {
  readonly command: Command;
  /** The session and tab that its words name. */
  readonly target: { session?: string; tab?: string };
  /** The same, or else those of the call it is part of. */
  readonly place: { session?: string; tab?: string };
  /** The file that takes its answer. */
  readonly out?: string;
  run(): Promise<{ result: CommandResult; text: string }>;
}

export interface SessionContext extends BaseContext {
  readonly session: Session;
  /**
   * Moves a tab that the call has opened, as a call on that tab would: it ends at a dialog that stays open, and tells what
   * came of it besides.
   */
  navigateNewTab<Result>(tab: Tab, go: () => Promise<Result>): Promise<Result & { effect: EffectReport }>;
}

export interface TabContext extends SessionContext {
  readonly tab: Tab;
  /** What the tab has recorded, as far as the caller may see it. */
  readonly capture: SeenCapture;
  /** The frame that selectors are looked up in: the tab's scoped frame, else its main frame. */
  readonly frame: Frame;
  /** Waits, in the middle of an action, as its answer will: until what it has led to by now has come to rest. */
  atRest(): Promise<void>;
}

export interface ContextOf {
  daemon: BaseContext;
  session: SessionContext;
  tab: TabContext;
}
