/** Who may come in. Everything here is decided from the headers of a request, before any message. */
import type { IncomingMessage } from "node:http";
import type { RecordDenial } from "../../security/tokens/denials.ts";
import type { Token, TokenRegistry } from "../../security/tokens/token.ts";
import type { Caller } from "../gate/call.ts";
import { CLIENT_HEADER, RPC_PATH, SUBPROTOCOL } from "../protocol.ts";

/** The names under which a loopback listener is honestly reached; any other `Host` is DNS rebinding. */
const LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"];

const INSTANCE_ID = /^[\w.-]{1,64}$/;
/** Longer ones are no addresses. */
const MAX_SOURCE_LENGTH = 200;

export interface Gate {
  port: number;
  /** Which listener this is: the one for this machine, or the one that a tunnel leads to. */
  via: Caller["via"];
  tokens: TokenRegistry;
  /** The `Host` by which a tunnel is reached from outside, once it is known. */
  publicHost?: () => string | undefined;
  /** Origins of pages that may connect, beside the daemon's own. */
  allowedOrigins: readonly string[];
  recordDenial: RecordDenial;
}

export interface Admitted {
  token: Token;
  /** The id of the client process, by which it is known again after a reconnect. */
  instance?: string;
  /** Where the request came from. */
  source: string;
}

/** The HTTP status to refuse with, which is all that a stranger learns. */
export type Refusal = 400 | 401 | 403 | 404;

/** May this upgrade become a connection? */
export function admitUpgrade(request: IncomingMessage, gate: Gate): Admitted | Refusal {
  if (pathOf(request) !== RPC_PATH) return 404;
  return isForeign(request, gate) ? 403 : admitHolder(request, gate);
}

/** Is the request meant for someone else, or from a page that is none of ours? Nothing more is to be told it then. */
export function isForeign(request: IncomingMessage, gate: Gate): boolean {
  const reason = !isOwnHost(request, gate) ? "host" : !isAllowedOrigin(request, gate) ? "origin" : undefined;
  if (reason) gate.recordDenial({ reason, source: sourceOf(request) });
  return reason !== undefined;
}

/** Does the request carry a token that is taken here? */
export function admitHolder(request: IncomingMessage, gate: Gate): Admitted | Refusal {
  const offered = subprotocolsOf(request);
  const secret = bearerOf(request) ?? valueAfter(offered, "bearer.");
  const token = secret === undefined ? undefined : gate.tokens.find(secret);
  const source = sourceOf(request);
  if (!token || !isTakenHere(token, gate)) {
    gate.recordDenial({ reason: reasonFor(secret, token), source });
    return 401;
  }
  const instance = headerOf(request, CLIENT_HEADER) ?? valueAfter(offered, "client.");
  if (instance === undefined) return { token, source };
  return INSTANCE_ID.test(instance) ? { token, source, instance } : 400;
}

/** Through the tunnel come clients that were paired for it only: root, skills and the panel are of this machine. */
function isTakenHere({ kind, isTunnelled }: Token, { via }: Gate): boolean {
  return via === "local" || (kind === "client" && isTunnelled === true);
}

function reasonFor(secret: string | undefined, token: Token | undefined) {
  if (secret === undefined) return "no_token";
  if (!token) return "wrong_token";
  if (token.kind === "root") return "root_token";
  return token.kind === "client" ? "not_tunnelled" : "token_kind";
}

/** Does the `Host` header name us? */
function isOwnHost(request: IncomingMessage, { port, publicHost }: Gate): boolean {
  const host = request.headers.host?.toLowerCase();
  return LOOPBACK_NAMES.some((name) => host === `${name}:${port}`) || (host !== undefined && host === publicHost?.());
}

/** Is the request from no page at all, from a page of ours, or from one that was allowed by name? */
function isAllowedOrigin(request: IncomingMessage, { port, allowedOrigins }: Gate): boolean {
  const { origin } = request.headers;
  if (origin === undefined || allowedOrigins.includes(origin)) return true;
  return LOOPBACK_NAMES.some((name) => origin === `http://${name}:${port}`);
}

/**
 * What tells this sender from others, for the record of denials: behind a forwarder, the address that it added itself,
 * which is the last one, as anybody can send the others along.
 */
export function sourceOf(request: IncomingMessage): string {
  const forwarded = headerOf(request, "x-forwarded-for")?.split(",").at(-1)?.trim();
  return (forwarded || request.socket.remoteAddress || "unknown").slice(0, MAX_SOURCE_LENGTH);
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
