/** The whole wire in one piece: listener, connections, methods, events, resend. Once for this machine, once for a tunnel. */

import type { Duplex } from "node:stream";
import { within } from "../../abort.ts";
import type { Token } from "../../security/tokens/token.ts";
import type { Caller } from "../gate/call.ts";
import { makeMethods, type WirePorts } from "../methods/methods.ts";
import { AcceptedCalls } from "./accepted_calls.ts";
import { type Admitted, admitHolder, type Gate } from "./authenticate.ts";
import { Connection, type ConnectionOptions } from "./connection.ts";
import { answerStatus, type Route } from "./http_answer.ts";
import { HttpCalls } from "./http_calls.ts";
import { type ListenerOptions, listen, REQUEST_TIMEOUT_MS } from "./http_server.ts";
import { LineSocket } from "./line_socket.ts";
import { makePairing } from "./pairing.ts";
import type { CallersTab, RequestPorts } from "./requests.ts";

export interface RpcServerOptions
  extends Omit<ListenerOptions, "onConnection" | "routes">,
    Omit<WirePorts, "cancel" | "log"> {
  /** Not known when absent. */
  currentTab?: CallersTab;
  log: (level: "debug" | "info" | "warning" | "error", message: string, cause?: unknown) => void;
}

export interface RpcServer {
  readonly port: number;
  readonly connectionCount: number;
  readonly runningCalls: number;
  /** Takes the channel to a process as one more connection, whose calls are made with the token. */
  attach(stream: Duplex, channel: ChannelOptions): Channel;
  /** The token no longer holds: what its holder has running ends, and so do its connections. */
  drop(token: Token): void;
  /**
   * Takes nothing new, lets running calls end for `graceMs` (default 1,000) and cancels the rest, sends every answer, and
   * closes.
   */
  close(graceMs?: number): Promise<void>;
}

export interface ChannelOptions extends Pick<ConnectionOptions, "session" | "hear"> {
  caller: Omit<Caller, "via">;
}

/** The connection, as whoever started the process knows it. */
export type Channel = Pick<Connection, "notify" | "close" | "gone">;

const GRACE_MS = 1_000;
/** For answers to leave after the grace, and for clients to say goodbye. */
const FLUSH_MS = 1_000;

/** Starts serving. Throws `unsupported` when the port cannot be had. */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const calls = new AcceptedCalls();
  const connections = new Set<Connection>();
  const answer = makeMethods({ ...options, cancel: (client, id) => calls.cancel(client, id) });
  let callerTotal = 0;
  const callerOf = ({ token, source }: Admitted): Caller => ({ token, via: options.via, client: "unknown", source });
  const clientKey = (admitted: Admitted) => clientKeyOf(admitted, ++callerTotal);
  const patienceMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const ports: RequestPorts = { calls, answer, currentTab: options.currentTab ?? (() => undefined) };
  const httpCalls = new HttpCalls({ ...ports, caller: callerOf, clientKey, patienceMs });
  const connect = (of: Pick<ConnectionOptions, "socket" | "stream" | "caller" | "clientKey" | "session" | "hear">) => {
    const onClosed = (closed: Connection) => {
      options.hub.drop(closed);
      connections.delete(closed);
    };
    const connection = new Connection({ ...of, ...ports, onClosed, log: options.log });
    connections.add(connection);
    return connection;
  };

  const listener = await listen({
    ...options,
    routes: (gate) => ({
      "POST /pair": makePairing(gate),
      // On this machine there is a WebSocket for everyone.
      ...(options.via === "tunnel" && { "POST /rpc": admitted(gate, httpCalls) }),
    }),
    onConnection: (socket, stream, admitted) => {
      connect({ socket, stream, caller: callerOf(admitted), clientKey: clientKey(admitted) });
    },
  });

  return {
    port: listener.port,
    get connectionCount() {
      return connections.size;
    },
    get runningCalls() {
      return calls.runningCount;
    },
    attach: (stream, { caller, ...channel }) => {
      const clientKey = `#${++callerTotal}`;
      return connect({
        socket: new LineSocket(stream),
        stream,
        ...channel,
        caller: { ...caller, via: options.via },
        clientKey,
      });
    },
    drop: (token) => {
      for (const peer of [...connections, ...httpCalls.peers]) {
        if (peer.caller.token === token) calls.abort(peer, "The token no longer holds");
      }
      for (const connection of connections) if (connection.caller.token === token) connection.close();
    },
    close: async (graceMs = GRACE_MS) => {
      listener.stopAccepting();
      for (const connection of connections) connection.deafen();
      const areQuiet = Promise.all([httpCalls.quiet(), ...[...connections].map((connection) => connection.quiet())]);
      await within(graceMs, areQuiet, undefined);
      calls.abortAll("The daemon is shutting down");
      await within(FLUSH_MS, areQuiet, undefined);
      const areGone = Promise.all([...connections].map((connection) => connection.gone()));
      for (const connection of connections) connection.close();
      await within(FLUSH_MS, areGone, undefined);
      await listener.close();
    },
  };
}

function admitted(gate: Gate, httpCalls: HttpCalls): Route {
  return async (request, response) => {
    const holder = admitHolder(request, gate);
    if (typeof holder === "number") answerStatus(response, holder);
    else await httpCalls.answer(request, response, holder);
  };
}

/** Without an instance id, a connection, or an exchange, stands for itself. Another token's holder is never the same client. */
function clientKeyOf({ token, instance }: Admitted, callerTotal: number): string {
  return instance === undefined ? `#${callerTotal}` : `${token.id}:${instance}`;
}
