/** The whole wire in one piece: listener, connections, methods, events, resend. */

import { AcceptedCalls } from "./accepted_calls.ts";
import type { Admitted } from "./authenticate.ts";
import { Connection } from "./connection.ts";
import { type ListenerOptions, listen } from "./listener.ts";
import { answerWith, type MethodPorts, makeMethods } from "./methods.ts";
import { type Health, PROTOCOL_VERSION } from "./protocol.ts";

export interface RpcServerOptions
  extends Pick<ListenerOptions, "port" | "tokens" | "allowedOrigins" | "pingEveryMs">,
    Omit<MethodPorts, "cancel" | "log"> {
  health: () => Omit<Health, "status" | "version" | "protocol">;
  log: (level: "debug" | "warning" | "error", message: string, cause?: unknown) => void;
}

export interface RpcServer {
  readonly port: number;
  readonly connectionCount: number;
  readonly runningCalls: number;
  /**
   * Takes nothing new, lets running calls end for `graceMs` (default 1,000) and cancels the rest, sends every answer, and
   * closes.
   */
  close(graceMs?: number): Promise<void>;
}

const GRACE_MS = 1_000;
/** For answers to leave after the grace, and for clients to say goodbye. */
const FLUSH_MS = 1_000;

/** Starts serving. Throws `unsupported` when the port cannot be had. */
export async function startRpcServer(options: RpcServerOptions): Promise<RpcServer> {
  const calls = new AcceptedCalls();
  const connections = new Set<Connection>();
  const methods = makeMethods({ ...options, cancel: (client, id) => calls.cancel(client, id) });
  let connectionTotal = 0;

  const listener = await listen({
    ...options,
    health: () => ({ status: "ok", version: options.version, protocol: PROTOCOL_VERSION, ...options.health() }),
    onConnection: (socket, stream, admitted) => {
      const connection = new Connection({
        socket,
        stream,
        caller: { token: admitted.token, via: "local", client: "unknown" },
        clientKey: clientKeyOf(admitted, ++connectionTotal),
        calls,
        answer: (from, call, request) => answerWith(methods, from, call, request),
        onClosed: (closed) => {
          options.hub.drop(closed);
          connections.delete(closed);
        },
        log: options.log,
      });
      connections.add(connection);
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
    close: async (graceMs = GRACE_MS) => {
      listener.stopAccepting();
      for (const connection of connections) connection.deafen();
      const areQuiet = Promise.all([...connections].map((connection) => connection.quiet()));
      await within(graceMs, areQuiet);
      calls.abortAll("The daemon is shutting down");
      await within(FLUSH_MS, areQuiet);
      const areGone = Promise.all([...connections].map((connection) => connection.gone()));
      for (const connection of connections) connection.close();
      await within(FLUSH_MS, areGone);
      await listener.close();
    },
  };
}

/** Without an instance id, a connection stands for itself. Another token's holder is never the same client. */
function clientKeyOf({ token, instance }: Admitted, connectionTotal: number): string {
  return instance === undefined ? `#${connectionTotal}` : `${token.kind}:${token.name}:${instance}`;
}

async function within(ms: number, done: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([done, promise]);
  clearTimeout(timer);
}
