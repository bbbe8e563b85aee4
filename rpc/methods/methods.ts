/** The methods of the wire: every registered command, and what the protocol itself offers. */
import { createJSONRPCErrorResponse, JSONRPCServer } from "json-rpc-2.0";
import type * as v from "valibot";
import { authorityOf, type Command, commandNames, findCommand, presetsOf } from "../../commands/command.ts";
import { BrowseError, toBrowseError } from "../../errors.ts";
import type { RecordDenial } from "../../security/tokens/denials.ts";
import { suggestion } from "../../wording.ts";
import type { Caller, CallOptions } from "../gate/call.ts";
import { CallRates } from "../gate/rate.ts";
import { assertWithinBudget, RESULT_MAX_BYTES } from "../line/budget.ts";
import { parseMethodParams } from "../line/params.ts";
import { DONE_ONCE } from "../line/print.ts";
import { snapshotParams } from "../line/snapshot_after.ts";
import { wellFormedJson } from "../line/terminal.ts";
import type { RpcRequest } from "../protocol.ts";
import type { AnswerRequest } from "../wire/requests.ts";
import { Globals } from "./command_globals.ts";
import {
  allMethods,
  endingOf,
  findMethod,
  isLocalWith,
  type MethodContext,
  type MethodPorts,
  type MethodSchema,
  notifyOf,
  type ProtocolMethod,
} from "./method.ts";
import "./mod.ts";
import { failure } from "./response.ts";

export interface WirePorts extends MethodPorts {
  log: (level: "error", message: string, cause?: unknown) => void;
  recordDenial: RecordDenial;
}

type Params = Record<string, unknown> | undefined;

const LESS_OR_MORE = "Ask for less, or pass a larger maxBytes";

/** Answers requests that have passed the guard. */
export function makeMethods(ports: WirePorts): AnswerRequest {
  const rates = new CallRates();
  const server = new JSONRPCServer<MethodContext>({ errorListener: () => {} });
  server.mapErrorToJSONRPCErrorResponse = (id, thrown: unknown) => {
    const error = toBrowseError(thrown);
    if (error.kind === "internal") ports.log("error", `A method failed: ${error.message}`, error.cause ?? error);
    return createJSONRPCErrorResponse(id, error.code, error.message, error.data);
  };
  for (const name of commandNames()) {
    server.addMethod(name, (params: Params, context) => callCommand(name, params, context));
  }
  for (const method of allMethods()) {
    server.addMethod(method.name, (params: Params, context) => callMethod(method, params, context));
  }
  return async (peer, call, request) => {
    try {
      if (call.signal.aborted) throw call.signal.reason;
      checkMethod(request.method, peer.caller, ports.recordDenial);
      if (findMethod(request.method)?.isCounted) {
        countMethod(rates, request.method, peer.caller, ports.recordDenial);
      }
      const response = await server.receive(request, { ports, peer, call });
      const text = wellFormedJson(response);
      const command = findCommand(request.method);
      if (response?.result && command) assertWithinBudget(text, mostBytes(request), remedyFor(command, request));
      return text;
    } catch (error) {
      return failure(call.id, toBrowseError(error));
    }
  };
}

/** Is there such a method, for this caller? Of commands, dispatch decides. */
function checkMethod(name: string, { via, source = via }: Caller, record: RecordDenial): void {
  const method = findMethod(name);
  if (findCommand(name) || (method && (via === "local" || method.remote))) return;
  if (via === "tunnel") record({ reason: method ? "forbidden" : "unknown_command", command: name, source });
  if (!method) throw unknownMethod(name);
  throw new BrowseError("forbidden", `"${name}" is not offered to remote agents`, {
    hint: "Call `rpc.discover` for what is",
  });
}

/** Commands are counted by dispatch. */
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

/** Of an answer that is too large. What has done something is not to be called again for it. */
function remedyFor(command: Command, { params }: RpcRequest): string {
  return authorityOf(command, params ?? {}).effect === "none" ? LESS_OR_MORE : DONE_ONCE;
}

function mostBytes({ params }: RpcRequest): number {
  const asked = params?.maxBytes;
  return typeof asked === "number" ? asked : RESULT_MAX_BYTES;
}

function callMethod({ params: schema, local, run }: ProtocolMethod, params: Params, context: MethodContext): unknown {
  if (local && !isLocalWith(context.peer.caller, local)) {
    throw new BrowseError("forbidden", `This method needs the scope "${local}" and a local connection`);
  }
  return run(parsed(schema, params), context);
}

async function callCommand(name: string, params: Params, { ports, peer, call }: MethodContext): Promise<unknown> {
  const { tab, session, timeoutMs, maxBytes, noSettle, noChanges, unsafe, snapshot: asked, ...own } = params ?? {};
  const globals = parsed(
    Globals,
    withoutUndefined({ tab, session, timeoutMs, maxBytes, noSettle, noChanges, unsafe, snapshot: asked }),
  );
  const { maxBytes: _, snapshot, ...target } = globals;
  const options: CallOptions = {
    signal: call.signal,
    notify: notifyOf(call),
    endWithCaller: endingOf(call),
    ...target,
  };
  if (snapshot !== undefined) options.snapshot = snapshotParams(snapshot);
  if (peer.told) options.told = peer.told;
  if (options.session === undefined && peer.session !== undefined) options.session = peer.session;
  const { result } = await ports.dispatch(peer.caller, name, { ...presetsOf(name), ...own }, options);
  return result;
}

function parsed<Schema extends MethodSchema>(schema: Schema, params: unknown): v.InferOutput<Schema> {
  return parseMethodParams(schema, Object.keys(schema.entries), params ?? {});
}

function withoutUndefined(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function unknownMethod(name: string): BrowseError {
  const known = [...commandNames(), ...allMethods().map((method) => method.name)];
  return new BrowseError("unknown_command", `There is no method ${JSON.stringify(name)}${suggestion(name, known)}`, {
    hint: "Call `rpc.discover` for the list",
  });
}
