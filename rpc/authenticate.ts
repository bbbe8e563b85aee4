/** Who may open a connection. Everything here is decided from the headers of the upgrade, before any message. */
import type { IncomingMessage } from "node:http";
import type { Token, TokenRegistry } from "../security/token.ts";
import { CLIENT_HEADER, RPC_PATH, SUBPROTOCOL } from "./protocol.ts";

/** The names under which a loopback listener is honestly reached; any other `Host` is DNS rebinding. */
const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

const INSTANCE_ID = /^[\w.-]{1,64}$/;

export interface Gate {
  port: number;
  tokens: TokenRegistry;
  /** Origins of pages that may connect, beside the daemon's own. */
  allowedOrigins: readonly string[];
}

export interface Admitted {
  token: Token;
  /** The id of the client process, by which it is known again after a reconnect. */
  instance?: string;
}

/** The HTTP status to refuse with, which is all that a stranger learns. */
export type Refusal = 400 | 401 | 403 | 404;

/** May this upgrade become a connection? */
export function admit(request: IncomingMessage, gate: Gate): Admitted | Refusal {
  if (pathOf(request) !== RPC_PATH) return 404;
  if (!isOwnHost(request, gate) || !isAllowedOrigin(request, gate)) return 403;
  const offered = subprotocolsOf(request);
  const secret = bearerOf(request) ?? valueAfter(offered, "bearer.");
  const token = secret === undefined ? undefined : gate.tokens.find(secret);
  if (!token) return 401;
  const instance = headerOf(request, CLIENT_HEADER) ?? valueAfter(offered, "client.");
  if (instance === undefined) return { token };
  return INSTANCE_ID.test(instance) ? { token, instance } : 400;
}

/** Does the `Host` header name us? */
export function isOwnHost(request: IncomingMessage, { port }: Pick<Gate, "port">): boolean {
  const host = request.headers.host?.toLowerCase();
  return LOOPBACK_NAMES.some((name) => host === `${name}:${port}`);
}

/** Is the request from no page at all, from a page of ours, or from one that was allowed by name? */
export function isAllowedOrigin(request: IncomingMessage, gate: Pick<Gate, "port" | "allowedOrigins">): boolean {
  const { origin } = request.headers;
  if (origin === undefined || gate.allowedOrigins.includes(origin)) return true;
  return LOOPBACK_NAMES.some((name) => origin === `http://${name}:${gate.port}`);
}

/** The path without its query. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? "").split("?", 1)[0] ?? "";
}

/** Of what a client offers, we select only our own name: the others carry secrets and are never echoed. */
export function selectSubprotocol(offered: ReadonlySet<string>): string | false {
  return offered.has(SUBPROTOCOL) && SUBPROTOCOL;
}

function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
}

function subprotocolsOf(request: IncomingMessage): string[] {
  return (headerOf(request, "sec-websocket-protocol") ?? "").split(",").map((name) => name.trim());
}

function valueAfter(offered: readonly string[], prefix: string): string | undefined {
  return offered.find((name) => name.startsWith(prefix))?.slice(prefix.length);
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : value;
}
