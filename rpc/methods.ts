/** The methods of the wire: every registered command, and what the protocol itself offers. */
import { createJSONRPCErrorResponse, JSONRPCServer } from "json-rpc-2.0";
import type * as v from "valibot";
import { commandNames, findCommand, type Scope } from "../commands/command.ts";
import type { RunningCall } from "./accepted_calls.ts";
import { assertWithinBudget, RESULT_MAX_BYTES } from "./budget.ts";
import type { CallNotify, CallOptions, Dispatch } from "./call.ts";
import type { CliExec } from "./cli_exec.ts";
import type { Connection } from "./connection.ts";
import { BrowseError, toBrowseError } from "./errors.ts";
import { type CanSee, type EventHub, TOPICS } from "./events.ts";
import { follow } from "./follow.ts";
import type { HandoverAnswer } from "./launch_settings.ts";
import * as schemas from "./method_schemas.ts";
import { suggestion } from "./nearest.ts";
import { parseMethodParams } from "./params.ts";
import { type HelloResult, PROTOCOL_VERSION, type RpcRequest } from "./protocol.ts";
import { failure } from "./response.ts";
import { wellFormedJson } from "./terminal.ts";
import { assertTopics, type OwnsTab, visibilityOf } from "./visibility.ts";

export interface MethodPorts {
  /** Of the daemon. */
  version: string;
  dispatch: Dispatch;
  cliExec: CliExec;
  hub: EventHub;
  /** Nobody owns a tab when absent. */
  owns?: OwnsTab;
  cancel: (clientKey: string, id: string | number) => boolean;
  openRpc: () => Record<string, unknown>;
  /** A client of another version asks the daemon to make room. */
  handover: (clientVersion: string) => HandoverAnswer;
  log: (level: "error", message: string, cause?: unknown) => void;
}

/** What a method knows of its call beside the params. */
interface MethodContext {
  connection: Connection;
  call: RunningCall;
}

type Params = Record<string, unknown> | undefined;

const LESS_OR_MORE = "Ask for less, or pass a larger maxBytes";

export type Methods = JSONRPCServer<MethodContext>;

/** The methods, ready for requests that have passed the guard. */
export function makeMethods(ports: MethodPorts): Methods {
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
  return server;
}

/** The JSON of the response. Never rejects. */
export async function answerWith(
  server: Methods,
  connection: Connection,
  call: RunningCall,
  request: RpcRequest,
): Promise<string> {
  try {
    if (call.signal.aborted) throw call.signal.reason;
    if (!server.hasMethod(request.method)) throw unknownMethod(request.method);
    const response = await server.receive(request, { connection, call });
    const text = wellFormedJson(response);
    if (response?.result && findCommand(request.method)) assertWithinBudget(text, mostBytes(request), LESS_OR_MORE);
    return text;
  } catch (error) {
    return failure(call.id, toBrowseError(error));
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
  server.addMethod("call.cancel", (params: Params, { connection }) => ({
    cancelled: ports.cancel(connection.clientKey, parsed(schemas.Cancel, params).id),
  }));
  server.addMethod("rpc.discover", () => ports.openRpc());
  server.addMethod("daemon.handover", (params: Params, { connection }) => {
    const { version } = parsed(schemas.Handover, params);
    requireLocal(connection, "control");
    return ports.handover(version);
  });
  server.addMethod("events.subscribe", (params: Params, { connection, call }) => {
    const accepted = parsed(schemas.Subscribe, params);
    requireLocal(connection, "read");
    const result = hub.subscribe(connection, accepted, { canSee: sightOf(ports, connection, accepted.topics) });
    // The client must have the subscription's id before its first event.
    void call.answer.then(() => setImmediate(() => hub.start(result.subscription)));
    return result;
  });
  server.addMethod("events.unsubscribe", (params: Params, { connection }) => ({
    unsubscribed: hub.unsubscribe(connection, parsed(schemas.Unsubscribe, params).subscription),
  }));
  server.addMethod("events.history", (params: Params, { connection }) => {
    const accepted = parsed(schemas.History, params);
    requireLocal(connection, "read");
    return hub.history(accepted, sightOf(ports, connection, accepted.topics));
  });
}

async function callCommand(ports: MethodPorts, name: string, params: Params, context: MethodContext): Promise<unknown> {
  const { tab, session, timeoutMs, maxBytes, ...own } = params ?? {};
  const globals = parsed(schemas.Globals, withoutUndefined({ tab, session, timeoutMs, maxBytes }));
  const { connection, call } = context;
  const { maxBytes: _, ...target } = globals;
  const options: CallOptions = { signal: call.signal, notify: notifyOf(call), ...target };
  if (options.session === undefined && connection.session !== undefined) options.session = connection.session;
  const { result } = await ports.dispatch(connection.caller, name, own, options);
  return result;
}

async function execute(ports: MethodPorts, params: Params, { connection, call }: MethodContext): Promise<unknown> {
  if (connection.caller.via === "tunnel") {
    throw new BrowseError("forbidden", "Command lines are not taken from remote agents", {
      hint: "Call the commands by name",
    });
  }
  const accepted = parsed(schemas.CliExec, params);
  return await ports.cliExec(accepted, {
    caller: { ...connection.caller, cwd: accepted.cwd, client: `browse-cli/${accepted.version}` },
    session: accepted.session ?? connection.session,
    signal: call.signal,
    notify: notifyOf(call),
    output: (stream, text) => call.tell("output", { stream, text }),
    follow: async (followed, render) =>
      await follow(ports.hub, connection, {
        ...followed,
        call: call.id,
        signal: call.signal,
        canSee: sightOf(ports, connection, followed.topics),
        render,
      }),
  });
}

/** What this connection may see of the topics. Throws `forbidden` when that is nothing. */
function sightOf({ owns = () => false }: MethodPorts, { caller }: Connection, topics: readonly string[]): CanSee {
  assertTopics(caller, topics);
  return visibilityOf(caller, owns);
}

function hello({ version }: MethodPorts, params: Params, { connection }: MethodContext): HelloResult {
  const { client, version: clientVersion, session, cwd } = parsed(schemas.Hello, params);
  connection.caller = { ...connection.caller, client: `${client}/${clientVersion}` };
  // Remote agents may not name files of this machine.
  if (cwd !== undefined && connection.caller.via === "local") connection.caller.cwd = cwd;
  if (session !== undefined) connection.session = session;
  return {
    protocol: PROTOCOL_VERSION,
    version,
    session: connection.session ?? "default",
    scopes: [...connection.caller.token.scopes],
    topics: [...TOPICS],
  };
}

function requireLocal({ caller }: Connection, scope: Scope): void {
  if (caller.via === "local" && caller.token.scopes.has(scope)) return;
  throw new BrowseError("forbidden", `This method needs the scope "${scope}" and a local connection`);
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
  "call.cancel",
  "rpc.discover",
  "events.subscribe",
  "events.unsubscribe",
  "events.history",
  "daemon.handover",
];
