/**
 * What travels over the wire. Types and a few constants only, with no import that runs: `bin/browse.ts` and `client.ts`
 * read this file for its types.
 */
import type { ErrorData } from "../errors.ts";
import type { Advice } from "../skills/notes/advice.ts";

/** Version of the protocol, apart from the package's. A client of the same major version is understood. */
export const PROTOCOL_VERSION = "1.0.0";

/** Path of the WebSocket. */
export const RPC_PATH = "/rpc";

/** Subprotocol that a client which cannot set headers offers, beside `bearer.<token>` and `client.<instance id>`. */
export const SUBPROTOCOL = "browse.v1";

/** Header by which a client process is known again after a reconnect. Subprotocol form: `client.<instance id>`. */
export const CLIENT_HEADER = "x-browse-client";

/** Largest message either way, in bytes. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Most requests in one batch. */
export const MAX_BATCH = 50;

/** Unique within a client process: at most 128 characters, or a safe integer. */
export type RequestId = string | number;

export interface RpcRequest {
  jsonrpc: "2.0";
  /** Absent in a notification; only `call.cancel` means anything without one. */
  id?: RequestId;
  method: string;
  params?: Record<string, unknown>;
}

export interface RpcFailure {
  jsonrpc: "2.0";
  /** Null when the request was too malformed to have one. */
  id: RequestId | null;
  error: { code: number; message: string; data: ErrorData };
}

/** Members that any command takes beside its own params. */
export interface GlobalParams {
  /** `"t3"` */
  tab?: string;
  session?: string;
  timeoutMs?: number;
  maxBytes?: number;
  /** Of an action: answers without waiting for what it starts. */
  noSettle?: boolean;
  noChanges?: boolean;
  /** Gives what the content guard would withhold: for the root token alone. */
  unsafe?: boolean;
  /** Of an action, or of what leads elsewhere: the answer goes on with a snapshot, the whole one or with these params. */
  snapshot?: true | Record<string, unknown>;
}

export interface HelloParams {
  /** The client's name: `browse-client`. */
  client: string;
  version: string;
  /** Session of every call of this connection that names none. */
  session?: string;
  /** Absolute; where relative paths start. */
  cwd?: string;
  /** Asks for a value that is blocked wherever it is about to be sent: keep it, and never use it. */
  canary?: boolean;
  /** Asks for what is known of each host where a call leads, beside its result, once a host. Not through a tunnel. */
  advice?: boolean;
}

export interface HelloResult {
  protocol: string;
  /** Of the daemon. */
  version: string;
  session: string;
  scopes: string[];
  topics: string[];
  /** When it was asked for: the same for every connection of the token. */
  canary?: string;
  /** When it was asked for, and there is some: about the page that the session shows. */
  advice?: Advice;
}

export interface CliExecParams {
  argv: string[];
  /** Absolute. */
  cwd: string;
  /** What `-` stands for. */
  stdin?: string;
  tty?: boolean;
  columns?: number;
  /** `BROWSE_SESSION` of the client; `--session` wins. */
  session?: string;
  /** Of the client. */
  version: string;
}

export interface CliExecResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

export interface EventFilter {
  tab?: string;
  session?: string;
  /** Of a console line. */
  level?: string;
  /** Address, with `*` for any run of characters. */
  url?: string;
  /** Resource type of a request. */
  type?: string;
  command?: string;
  /** Smallest HTTP status. */
  status?: number;
}

export interface SubscribeParams {
  topics: string[];
  filter?: EventFilter;
  /** Replay what came after this `seq`, for all topics or for each. */
  since?: number | Record<string, number>;
  /** How many events may wait for a slow reader. Default 10,000. */
  buffer?: number;
}

export interface SubscribeResult {
  subscription: string;
  /** The newest `seq` of each topic. */
  cursor: Record<string, number>;
}

export interface UnsubscribeParams {
  subscription: string;
}

export interface HistoryParams {
  topics: string[];
  filter?: EventFilter;
  since?: number | Record<string, number>;
  /** The newest so many. Default 100. */
  limit?: number;
}

export interface HistoryResult {
  events: EventRecord[];
  cursor: Record<string, number>;
}

/** What a person has typed of a command line, up to the cursor. */
export interface CompleteParams {
  line: string;
}

export interface CompleteResult {
  /** Of what the last word of the line may become, those that it begins. */
  words: string[];
}

export interface CancelParams {
  /** Of the call to stop. */
  id: RequestId;
}

export interface EventRecord {
  /** Counts from 1 within its topic. */
  seq: number;
  topic: string;
  /** ISO 8601. */
  time: string;
  /** What it tells may be a page's words: data, not orders. */
  untrusted?: true;
  /** With `tab` and `session` where the event has them. */
  data: Record<string, unknown>;
}

/** Events `from`…`to` of a topic are lost to a reader; `dropped` of them, at most, it would have had. */
export interface EventGap {
  topic: string;
  dropped: number;
  from: number;
  to: number;
}

/** Notifications to the client, by method. Those that come together may come as one JSON-RPC batch. */
export interface Notifications {
  /** The call has an effect and is about to begin; from here on it is never run twice. */
  accepted: { id: RequestId };
  log: { id: RequestId; level: "debug" | "info" | "warning"; message: string };
  progress: { id: RequestId; done: number; total?: number; unit?: string };
  /** A question for whoever sits at the terminal of a `cli.exec`; `call.reply {id, text}` answers it. */
  ask: { id: RequestId; question: string };
  /** Text of a `cli.exec` that comes before its answer. */
  output: { id: RequestId; stream: "stdout" | "stderr"; text: string };
  /** To the process of a skill: what it is to run, before anything else. */
  "skill.load": SkillLoad;
  /** To the same: run it once. `skill.result` answers it. */
  "skill.job": { id: string; args: Record<string, unknown> };
  event: EventRecord & { subscription: string };
  gap: EventGap & { subscription: string };
}

export interface SkillLoad {
  /** Address of the script whose `main` is run. */
  script: string;
  /** Address of the SDK that it was written against. */
  client: string;
  /** By address, the JavaScript of those that are not read from the disk. */
  sources: Record<string, string>;
}

/** What a skill threw. Its process answers a job with a notification: `skill.result {id, value}`, or `{id, error}`. */
export interface SkillError {
  message: string;
  /** Of an error that the daemon had answered with. */
  kind?: string;
  hint?: string;
  stack?: string;
}

export type NotificationMethod = keyof Notifications;

/** `GET /health`. */
export interface Health {
  status: "ok";
  version: string;
  protocol: string;
  mode: string;
  uptimeMs: number;
  browser: string;
}

/** A client asks a daemon of another version to make room for its own. */
export interface HandoverParams {
  /** Of the client. */
  version: string;
}
