/** One call, from whoever makes it, as dispatch sees it. */
import type { CommandResult } from "../../commands/command.ts";
import type { Segment } from "../../security/content/page_mark.ts";
import { artifactsIn } from "../../security/files/file_location.ts";
import { artifactsOf } from "../../security/tokens/artifacts.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { Printing } from "../line/print.ts";
import type { SubscribeParams } from "../protocol.ts";
import type { ToldHosts } from "./told_hosts.ts";

/** Who is calling. The same for every call of a connection but `cwd`, which the CLI sends each time. */
export interface Caller {
  token: Token;
  /** Which listener the connection came in by. */
  via: "local" | "tunnel";
  /** The client's own name and version, for the journal: `browse-cli/0.1.0`. */
  client: string;
  /** Tells who it is from others in the record of denials, which keeps a hash of it: an address. */
  source?: string;
  /** Where relative paths start; absent for callers that may not name files. */
  cwd?: string;
  /** Its actions are allowed by a person one by one; absent where none has to be. */
  approval?: Approval;
}

/** The person who allows the actions of a skill. */
export interface Approval {
  /**
   * At the terminal of whoever runs it; undefined where nobody is there who may say yes: then that one is told which `id` waits
   * for a yes from elsewhere.
   */
  ask(question: string, id: string): Promise<string | undefined>;
  /** Name of the argument of the skill that has this value. */
  argumentWith(value: string): string | undefined;
  /** Told of each answer, wherever it was given; undefined when nobody gave any. */
  answered(isAllowed: boolean | undefined): void;
  /** A call waits for the person until that is disposed: none of the skill's own time. */
  hold(): Disposable;
}

/**
 * Whose the tabs and sessions become that the call opens. What is near this machine is open to callers on it, and files
 * are kept on it for them alone.
 */
export function holderOf({ token, via }: Caller): Token {
  if (via === "tunnel") return { ...token, isRemote: true };
  return token.privateGranted ? token : { ...token, privateGranted: true };
}

/**
 * Where the caller's relative paths start, and what it may read and write below. Only the user says where they stand:
 * everybody else has a folder of its own.
 */
export function folderOf({ token, cwd }: Caller, { projectDir, stateDir }: CallerFolders): string {
  return token.kind === "root" ? (cwd ?? projectDir) : artifactsOf(artifactsIn(stateDir), token);
}

export interface CallerFolders {
  /** Where the user stands who names no folder. */
  projectDir: string;
  stateDir: string;
}

/** What a call carries beside its params. All but `signal` come from the caller. */
export interface CallOptions {
  /** Session by name; the connection's own, else "default". */
  session?: string;
  /** Tab by id; the session's current tab when absent. */
  tab?: string;
  timeoutMs?: number;
  /** Answers without waiting for what an action starts. */
  noSettle?: boolean;
  /** Answers with the number of what changed alone. */
  noChanges?: boolean;
  /** Params of the snapshot that the answer goes on with. */
  snapshot?: Record<string, unknown>;
  /** Gives what the content guard would withhold. */
  unsafe?: boolean;
  /** For a command line; absent for callers that take the typed result. */
  print?: Printing;
  /** Of a connection that asked for advice: what it was told. */
  told?: ToldHosts;
  /** Aborted by `call.cancel` and, for reads, when the connection closes. */
  signal: AbortSignal;
  /** From now on the call ends with its caller's connection, begun as it may be. */
  endWithCaller?: () => void;
  /** Where `log`, `progress` and `accepted` of this call go. */
  notify?: CallNotify;
}

export interface CallNotify {
  /**
   * Told before a call with an effect begins; resolves once the caller's socket has taken it, so that no action can
   * run unannounced.
   */
  accepted(): Promise<void>;
  log(level: "debug" | "info" | "warning", message: string): void;
  progress(done: number, total?: number, unit?: string): void;
  /** Asks whoever sits at the caller's terminal; undefined when nobody does. Absent for callers that are programs. */
  ask?(question: string): Promise<string | undefined>;
  /** Puts text on the caller's standard output, ahead of the answer; absent for callers that have none. */
  print?(text: string): void;
  /** Puts events on the caller's terminal until it goes; absent for callers that have none. */
  follow?(params: FollowParams): Promise<FollowEnd>;
}

/** What a terminal follows, and for how long: until it goes when that is absent. */
export interface FollowParams extends Pick<SubscribeParams, "topics" | "filter" | "since"> {
  /** Of what is kept since then, only so many; all when absent. */
  newest?: number;
  /** Told of how many older ones are kept, when there are some. */
  onOlder?: (count: number) => void;
  durationMs?: number;
}

/** Why there are no more events. */
export type FollowEnd = "time is over" | "the daemon has ended";

/** What a call gave: the typed result (with `effect` joined for actions) and how a person, or a command line, reads it. */
export interface Answer {
  command: string;
  result: CommandResult;
  /** Its text, as it is put together: ours, and what a page says. Rendered when it is first asked for. */
  readonly segments: readonly Segment[];
  /** The same as one, marked. */
  readonly text: string;
  /** Not 0 where the answer itself tells of a failure: a step of a chain, a check of the doctor. */
  exitCode: number;
}

/** The one function that every call goes through. Rejects with `BrowseError` only. */
export type Dispatch = (
  caller: Caller,
  name: string,
  params: Record<string, unknown>,
  options: CallOptions,
) => Promise<Answer>;
