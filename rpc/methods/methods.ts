/** The methods of the wire: every registered command, and what the protocol itself offers. */
import { createJSONRPCErrorResponse, JSONRPCServer } from "json-rpc-2.0";
import * as v from "valibot";
import { commandNames, findCommand, presetsOf, type Scope } from "../../commands/command.ts";
import { BrowseError, toBrowseError } from "../../errors.ts";
import type { RecordDenial } from "../../security/tokens/denials.ts";
import { SESSION_NAME_WORDS, SessionName } from "../../security/tokens/session_name.ts";
import { suggestion } from "../../wording.ts";
import { follow } from "../events/follow.ts";
import { type CanSee, type EventHub, TOPICS, type Topic } from "../events/hub.ts";
import type { Subscriber } from "../events/subscription.ts";
import type { Caller, CallNotify, CallOptions, Dispatch } from "../gate/call.ts";
import { CallRates } from "../gate/rate.ts";
import { assertTopics, filterMeant, mayFollow, type OwnsTab, visibilityOf } from "../gate/visibility.ts";
import type { HandoverAnswer } from "../lifecycle/launch_settings.ts";
import { assertWithinBudget, RESULT_MAX_BYTES } from "../line/budget.ts";
import { completionsOf } from "../line/completion.ts";
import { parseMethodParams } from "../line/params.ts";
import { snapshotParams } from "../line/snapshot_after.ts";
import { wellFormedJson } from "../line/terminal.ts";
import {
  type CompleteResult,
  type HelloResult,
  PROTOCOL_VERSION,
  REMOTE_METHODS,
  type RpcRequest,
} from "../protocol.ts";
import type { RunningCall } from "../wire/accepted_calls.ts";
import type { AnswerRequest, Peer } from "../wire/requests.ts";
import type { CliExec } from "./cli_exec.ts";
import * as schemas from "./method_schemas.ts";
import { failure } from "./response.ts";

export interface MethodPorts {
  /** Of the daemon. */
  version: string;
  dispatch: Dispatch;
  cliExec: CliExec;
  hub: EventHub;
  /** Nobody owns a tab when absent. */
  owns?: OwnsTab;
  cancel: (clientKey: string, id: string | number) => boolean;
  /** What this caller can call. */
  openRpc: (via: Caller["via"]) => Record<string, unknown>;
  /** A client of another version asks the daemon to make room. */
  handover: (clientVersion: string) => HandoverAnswer;
  log: (level: "error", message: string, cause?: unknown) => void;
  recordDenial: RecordDenial;
}

/** What a method knows of its call beside the params. */
interface MethodContext {
  peer: Peer;
  call: RunningCall;
}

type Params = Record<string, unknown> | undefined;
type Methods = JSONRPCServer<MethodContext>;

const LESS_OR_MORE = "Ask for less, or pass a larger maxBytes";

/** Answers requests that have passed the guard. */
export function makeMethods(ports: MethodPorts): AnswerRequest {
  const rates = new CallRates();
  const server: Methods = new JSONRPCServer<MethodContext>({ errorListener: () => {} });
  server.mapErrorToJSONRPCErrorResponse = (id, thrown: unknown) => {
    const error = toBrowseError(thrown);
    if (error.kind === "internal") ports.log("error", `A method failed: ${error.message}`, error.cause ?? error);
    return createJSONRPCErrorResponse(id, error.code, error.message, error.data);
  };
  for (const name of commandNames()) {
    server.addMethod(name, (params: Params, context) => callCommand(ports, name, params, context));
  }
  addProtocolMethods(server, ports);
  return async (peer, call, request) => {
    try {
      if (call.signal.aborted) throw call.signal.reason;
      checkMethod(server, request.method, peer.caller, ports.recordDenial);
      if (isCounted(request.method)) countMethod(rates, request.method, peer.caller, ports.recordDenial);
      const response = await server.receive(request, { peer, call });
      const text = wellFormedJson(response);
      if (response?.result && findCommand(request.method)) assertWithinBudget(text, mostBytes(request), LESS_OR_MORE);
      return text;
    } catch (error) {
      return failure(call.id, toBrowseError(error));
    }
  };
}

/** Is there such a method, for this caller? Of commands, dispatch decides. */
function checkMethod(server: Methods, method: string, { via, source = via }: Caller, record: RecordDenial): void {
  const isThere = server.hasMethod(method);
  if (isThere && (via === "local" || findCommand(method) || REMOTE_METHODS.has(method))) return;
  if (via === "tunnel") record({ reason: isThere ? "forbidden" : "unknown_command", command: method, source });
  if (!isThere) throw unknownMethod(method);
  throw new BrowseError("forbidden", `"${method}" is not offered to remote agents`, {
    hint: "Call `rpc.discover` for what is",
  });
}

/** Commands are counted by dispatch, those of a command line too; who cancels wants less done. */
function isCounted(method: string): boolean {
  return method !== "cli.exec" && method !== "call.cancel" && findCommand(method) === undefined;
}

function countMethod(
  rates: CallRates,
  method: string,
  { token, via, source = via }: Caller,
  record: RecordDenial,
): void {
  try {
    rates.take(token);
  } catch (error) {
    record({ reason: "rate_limited", command: method, source });
    throw error;
  }
}

function mostBytes({ params }: RpcRequest): number {
  const asked = params?.maxBytes;
  return typeof asked === "number" ? asked : RESULT_MAX_BYTES;
}

function addProtocolMethods(server: Methods, ports: MethodPorts): void {
  const { hub } = ports;
  server.addMethod("session.hello", (params: Params, context) => hello(ports, params, context));
  server.addMethod("cli.exec", (params: Params, context) => execute(ports, params, context));
  server.addMethod("cli.complete", (params: Params, { peer }) => {
    requireLocal(peer, "read");
    return { words: completionsOf(parsed(schemas.Complete, params).line) } satisfies CompleteResult;
  });
  server.addMethod("call.cancel", (params: Params, { peer }) => ({
    cancelled: ports.cancel(peer.clientKey, parsed(schemas.Cancel, params).id),
  }));
  server.addMethod("rpc.discover", (_params: Params, { peer }) => ports.openRpc(peer.caller.via));
  server.addMethod("daemon.handover", (params: Params, { peer }) => {
    const { version } = parsed(schemas.Handover, params);
    requireLocal(peer, "control");
    requireEverything(peer);
    return ports.handover(version);
  });
  server.addMethod("events.subscribe", (params: Params, { peer, call }) => {
    const accepted = parsed(schemas.Subscribe, params);
    requireLocal(peer, "read");
    const canSee = sightOf(ports, peer, accepted.topics);
    const result = hub.subscribe(subscriberOf(peer), filterMeant(peer.caller, accepted), { canSee });
    // The client must have the subscription's id before its first event.
    void call.answer.then(() => setImmediate(() => hub.start(result.subscription)));
    return result;
  });
  server.addMethod("events.unsubscribe", (params: Params, { peer }) => ({
    unsubscribed: hub.unsubscribe(subscriberOf(peer), parsed(schemas.Unsubscribe, params).subscription),
  }));
  server.addMethod("events.history", (params: Params, { peer }) => {
    const accepted = parsed(schemas.History, params);
    requireLocal(peer, "read");
    return hub.history(filterMeant(peer.caller, accepted), sightOf(ports, peer, accepted.topics));
  });
}

async function callCommand(ports: MethodPorts, name: string, params: Params, context: MethodContext): Promise<unknown> {
  const { tab, session, timeoutMs, maxBytes, noSettle, noChanges, snapshot: asked, ...own } = params ?? {};
  const globals = parsed(
    schemas.Globals,
    withoutUndefined({ tab, session, timeoutMs, maxBytes, noSettle, noChanges, snapshot: asked }),
  );
  const { peer, call } = context;
  const { maxBytes: _, snapshot, ...target } = globals;
  const options: CallOptions = { signal: call.signal, notify: notifyOf(call), ...target };
  if (snapshot !== undefined) options.snapshot = snapshotParams(snapshot);
  if (options.session === undefined && peer.session !== undefined) options.session = peer.session;
  const { result } = await ports.dispatch(peer.caller, name, { ...presetsOf(name), ...own }, options);
  return result;
}

/** The client takes it from its environment as it is. */
function assertSession(session: unknown): void {
  if (session === undefined || v.is(SessionName, session)) return;
  throw new BrowseError(
    "invalid_params",
    `BROWSE_SESSION must be ${SESSION_NAME_WORDS}, not ${JSON.stringify(session)}`,
    {
      hint: "Set it to such a name, or unset it",
    },
  );
}

async function execute(ports: MethodPorts, params: Params, { peer, call }: MethodContext): Promise<unknown> {
  assertSession(params?.session);
  const accepted = parsed(schemas.CliExec, params);
  return await ports.cliExec(accepted, {
    caller: { ...peer.caller, cwd: accepted.cwd, client: `browse-cli/${accepted.version}` },
    session: accepted.session ?? peer.session,
    signal: call.signal,
    notify: notifyOf(call),
    ask: (question) => call.ask(question),
    output: (stream, text) => call.tell("output", { stream, text }),
    follow: async (followed, render) =>
      await follow(ports.hub, subscriberOf(peer), {
        ...filterMeant(peer.caller, followed),
        call: call.id,
        signal: call.signal,
        canSee: sightOf(ports, peer, followed.topics),
        render,
      }),
  });
}

/** What this connection may see of the topics. Throws `forbidden` when that is nothing. */
function sightOf({ owns = () => false }: MethodPorts, { caller }: Peer, topics: readonly string[]): CanSee {
  assertTopics(caller, topics);
  return visibilityOf(caller, owns);
}

function hello({ version }: MethodPorts, params: Params, { peer }: MethodContext): HelloResult {
  const { client, version: clientVersion, session, cwd } = parsed(schemas.Hello, params);
  peer.caller = { ...peer.caller, client: `${client}/${clientVersion}` };
  // Remote agents may not name files of this machine.
  if (cwd !== undefined && peer.caller.via === "local") peer.caller.cwd = cwd;
  if (session !== undefined) peer.session = session;
  return {
    protocol: PROTOCOL_VERSION,
    version,
    session: peer.session ?? "default",
    scopes: [...peer.caller.token.scopes],
    topics: topicsOf(peer.caller),
  };
}

/** Those that `events.subscribe` takes from this caller. */
function topicsOf(caller: Caller): Topic[] {
  return isLocalWith(caller, "read") ? TOPICS.filter((topic) => mayFollow(caller, topic)) : [];
}

function isLocalWith({ via, token }: Caller, scope: Scope): boolean {
  return via === "local" && token.scopes.has(scope);
}

function requireLocal({ caller }: Peer, scope: Scope): void {
  if (isLocalWith(caller, scope)) return;
  throw new BrowseError("forbidden", `This method needs the scope "${scope}" and a local connection`);
}

/** As of `restart`: what ends the daemon ends the tabs of all. */
function requireEverything({ caller }: Peer): void {
  if (caller.token.tabs === "all") return;
  throw new BrowseError("not_owner", "This method ends everybody's work, and only part of it is yours", {
    hint: "Ask a person",
  });
}

function subscriberOf({ subscriber }: Peer): Subscriber {
  if (subscriber) return subscriber;
  throw new BrowseError("unsupported", "Events need a connection", { hint: "Open a WebSocket" });
}

function notifyOf(call: RunningCall): CallNotify {
  return {
    accepted: () => call.accept(),
    log: (level, message) => call.tell("log", { level, message }),
    progress: (done, total, unit) =>
      call.tell("progress", { done, ...(total !== undefined && { total }), ...(unit !== undefined && { unit }) }),
  };
}

function parsed<Schema extends schemas.MethodSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  return parseMethodParams(schema, Object.keys(schema.entries), params ?? {});
}

function withoutUndefined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function unknownMethod(name: string): BrowseError {
  const known = [...commandNames(), ...PROTOCOL_METHODS];
  return new BrowseError("unknown_command", `There is no method ${JSON.stringify(name)}${suggestion(name, known)}`, {
    hint: "Call `rpc.discover` for the list",
  });
}

const PROTOCOL_METHODS = [
  "session.hello",
  "cli.exec",
  "cli.complete",
  "call.cancel",
  "rpc.discover",
  "events.subscribe",
  "events.unsubscribe",
  "events.history",
  "daemon.handover",
];
