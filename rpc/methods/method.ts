/**
 * What a method of the protocol itself is: one object a file, as commands are. From these objects come the methods, what
 * `rpc.discover` and the tunnel offer, and what a mistyped name is compared with.
 */
import type * as v from "valibot";
import type { Scope } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { Advice } from "../../skills/notes/advice.ts";
import type { CanSee, EventHub } from "../events/hub.ts";
import type { Subscriber } from "../events/subscription.ts";
import type { Caller, CallNotify, Dispatch } from "../gate/call.ts";
import type { ToldHosts } from "../gate/told_hosts.ts";
import { assertTopics, type OwnsTab, visibilityOf } from "../gate/visibility.ts";
import type { HandoverAnswer } from "../lifecycle/launch_settings.ts";
import type { RunningCall } from "../wire/accepted_calls.ts";
import type { Peer } from "../wire/requests.ts";
import type { CliExec } from "./run_command_line.ts";

export type MethodSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>;

/** Checked to give what the protocol's types say. */
export type Gives<Output> = MethodSchema & v.GenericSchema<unknown, Output>;

/** For a connection that has been told of those hosts already. Never rejects. */
export type AdviceFor = (caller: Caller, session: string | undefined, told: ToldHosts) => Promise<Advice | undefined>;

/** What methods ask of the daemon around them. */
export interface MethodPorts {
  /** Of the daemon. */
  version: string;
  dispatch: Dispatch;
  cliExec: CliExec;
  hub: EventHub;
  /** Nobody owns a tab when absent. */
  owns?: OwnsTab;
  /** The value that this holder is to keep to itself. */
  canaryFor: (token: Token) => string;
  /** What is known of the host that the caller is shown; undefined where that is nothing. Nobody is advised when absent. */
  adviceFor?: AdviceFor;
  cancel: (clientKey: string, id: string | number) => boolean;
  /** What this caller can call. */
  openRpc: (via: Caller["via"]) => Record<string, unknown>;
  /** A client of another version asks the daemon to make room. */
  handover: (clientVersion: string) => HandoverAnswer;
}

/** What a method knows of its call beside the params. */
export interface MethodContext {
  ports: MethodPorts;
  peer: Peer;
  call: RunningCall;
}

export interface ProtocolMethod {
  /** `"events.subscribe"` */
  name: string;
  summary: string;
  params: MethodSchema;
  /** Offered through the tunnel, too. Default false. */
  remote: boolean;
  /** Needed, on a connection from this machine; `false`: whoever may connect may call it. */
  local: Scope | false;
  /** Counts as one call of the token's rate. Default true. */
  isCounted: boolean;
  /** May be sent again when its answer was lost. Default true. */
  retrySafe: boolean;
  run(params: Record<string, unknown>, context: MethodContext): unknown;
}

interface MethodSpec<Schema extends MethodSchema>
  extends Pick<ProtocolMethod, "name" | "summary">,
    Partial<Pick<ProtocolMethod, "remote" | "local" | "isCounted" | "retrySafe">> {
  params: Schema;
  run(params: v.InferOutput<Schema>, context: MethodContext): unknown;
}

const methods = new Map<string, ProtocolMethod>();

/** Makes a method known. Throws for a name that is taken. */
export function defineMethod<Schema extends MethodSchema>(spec: MethodSpec<Schema>): void {
  if (methods.has(spec.name)) throw new Error(`There are two methods "${spec.name}"`);
  const method = { remote: false, local: false, isCounted: true, retrySafe: true, ...spec } as const;
  methods.set(spec.name, method as unknown as ProtocolMethod);
}

export function findMethod(name: string): ProtocolMethod | undefined {
  return methods.get(name);
}

export function allMethods(): ProtocolMethod[] {
  return [...methods.values()];
}

/** Does the caller come from this machine, with the scope? */
export function isLocalWith({ via, token }: Caller, scope: Scope): boolean {
  return via === "local" && token.scopes.has(scope);
}

/** Who is counted, as far as they have a rate. */
export function ownerOf({ caller: { token } }: Peer): { owner?: string } {
  return token.rate ? { owner: token.id } : {};
}

/** The connection's own reader of events. Throws `unsupported` for a call over HTTP. */
export function subscriberOf({ subscriber }: Peer): Subscriber {
  if (subscriber) return subscriber;
  throw new BrowseError("unsupported", "Events need a connection", { hint: "Open a WebSocket" });
}

/** What this connection may see of the topics. Throws `forbidden` when that is nothing. */
export function sightOf({ ports, peer: { caller } }: MethodContext, topics: readonly string[]): CanSee {
  assertTopics(caller, topics);
  return visibilityOf(caller, ports.owns ?? (() => false));
}

/** What is told to the client while its call runs. */
/** What ends with the caller's connection from now on. */
export function endingOf(call: RunningCall): () => void {
  return () => {
    call.endsWithCaller = true;
  };
}

export function notifyOf(call: RunningCall): CallNotify {
  return {
    accepted: () => call.accept(),
    log: (level, message) => call.tell("log", { level, message }),
    progress: (done, total, unit) =>
      call.tell("progress", { done, ...(total !== undefined && { total }), ...(unit !== undefined && { unit }) }),
  };
}
