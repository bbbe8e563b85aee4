/** The daemon's ear: HTTP and WebSocket on one loopback port. */
import { randomInt } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { BrowseError } from "../../errors.ts";
import { MAX_MESSAGE_BYTES } from "../protocol.ts";
import { type Admitted, admitUpgrade, type Gate, isForeign, pathOf, selectSubprotocol } from "./authenticate.ts";
import { answerStatus, answerText, type Route } from "./http_answer.ts";

const LOOPBACK = "127.0.0.1";
/** Below the range that systems and test suites draw ephemeral ports from. */
const RANDOM_PORTS = { from: 10_000, to: 49_151 };
const RANDOM_TRIES = 5;
/** A peer that leaves one ping unanswered until the next is dead: noticed within 50 s. */
const PING_EVERY_MS = 25_000;
/** A request, body included, has to be here by then; half of it for the headers. */
export const REQUEST_TIMEOUT_MS = 20_000;

export interface ListenerOptions extends Omit<Gate, "port" | "allowedOrigins"> {
  /** 0 chooses a random free one. */
  port: number;
  /** What `GET /health` says to anyone. */
  health: () => object;
  /** Takes over an admitted socket. `stream` is the TCP stream below it. */
  onConnection: (socket: WebSocket, stream: Duplex, admitted: Admitted) => void;
  /** What else plain HTTP can do, by method and path: `POST /pair`. */
  routes?: (gate: Gate) => Readonly<Record<string, Route>>;
  allowedOrigins?: readonly string[];
  /** Connections at a time; as many as the system allows when absent. */
  maxConnections?: number;
  log: (level: "error", message: string, cause?: unknown) => void;
  pingEveryMs?: number;
  requestTimeoutMs?: number;
}

export interface Listener {
  readonly port: number;
  /** Takes no new connection any more; those that are open go on. */
  stopAccepting(): void;
  /** Takes no new connection any more and drops those that are open. Resolves when all is released. */
  close(): Promise<void>;
}

/** Starts listening on 127.0.0.1. Throws `unsupported` when no port can be had. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const server = createServer(httpLimits(options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS));
  if (options.maxConnections !== undefined) server.maxConnections = options.maxConnections;
  const port = await bind(server, options.port);
  const gate: Gate = { ...options, port, allowedOrigins: options.allowedOrigins ?? [] };
  const health: Route = (_request, response) =>
    answerText(response, "application/json", JSON.stringify(options.health()));
  const routes = new Map(Object.entries({ ...options.routes?.(gate), "GET /health": health }));
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols: selectSubprotocol,
  });
  server.on("request", (request, response) => void answerHttp(request, response, { gate, routes, log: options.log }));
  server.on("upgrade", (request, stream, head) => {
    // Without a listener, a peer that resets while we refuse it would end the daemon.
    stream.on("error", () => stream.destroy());
    const admitted = admitUpgrade(request, gate);
    if (typeof admitted === "number") return refuseUpgrade(stream, admitted);
    sockets.handleUpgrade(request, stream, head, (socket) => options.onConnection(socket, stream, admitted));
  });
  const stopPinging = dropDeadPeers(sockets, options.pingEveryMs ?? PING_EVERY_MS);
  const closed = new Promise<void>((resolve) => server.once("close", () => resolve()));
  const close = () => {
    stopPinging();
    server.close();
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    return closed;
  };
  return { port, close, stopAccepting: () => void server.close() };
}

/** Who sends slowly holds nothing for long. */
function httpLimits(requestTimeout: number) {
  return {
    noDelay: true,
    keepAliveTimeout: 1_000,
    requestTimeout,
    headersTimeout: requestTimeout / 2,
    connectionsCheckingInterval: requestTimeout / 4,
  };
}

async function bind(server: Server, port: number): Promise<number> {
  for (let tries = 1; ; tries++) {
    const candidate = port === 0 ? randomInt(RANDOM_PORTS.from, RANDOM_PORTS.to + 1) : port;
    try {
      await listenOn(server, candidate);
      return candidate;
    } catch (error) {
      if (port === 0 && tries < RANDOM_TRIES) continue;
      throw new BrowseError("unsupported", `Cannot listen on port ${candidate}: ${reasonOf(error)}`, {
        hint: "Set BROWSE_PORT to a free port, or to 0 to have one chosen",
        details: { port: candidate },
        cause: error,
      });
    }
  }
}

function listenOn(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return "another program uses it";
  if (code === "EACCES") return "this user may not use it";
  return "the system refused it";
}

interface HttpPorts {
  gate: Gate;
  routes: ReadonlyMap<string, Route>;
  log: ListenerOptions["log"];
}

/** Never rejects. */
async function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  { gate, routes, log }: HttpPorts,
): Promise<void> {
  const route = routes.get(`${request.method} ${pathOf(request)}`);
  try {
    if (isForeign(request, gate)) answerStatus(response, 403);
    else if (route) await route(request, response);
    else answerStatus(response, 404);
  } catch (error) {
    log("error", "A request could not be answered", error);
    response.destroy();
  }
}

function refuseUpgrade(stream: Duplex, status: number): void {
  stream.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
    stream.destroy(),
  );
}

function dropDeadPeers(sockets: WebSocketServer, everyMs: number): () => void {
  const unanswered = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of sockets.clients) {
      if (unanswered.has(socket)) {
        socket.terminate();
        continue;
      }
      unanswered.add(socket);
      socket.once("pong", () => unanswered.delete(socket));
      socket.ping();
    }
  }, everyMs).unref();
  return () => clearInterval(timer);
}
