/** A running listener that a tunnel leads to, and requests to it as an agent or a stranger sends them. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { expect } from "vitest";
import type { RpcServerOptions } from "../../../rpc/wire/server.ts";
import { startWire, type Wire } from "./wire.ts";

export interface TunnelWire extends Wire {
  agent: string;
}

/** The tunnel's listener, with one paired agent. */
export async function startTunnelWire(overrides: Partial<RpcServerOptions> = {}): Promise<TunnelWire> {
  const wire = await startWire({ via: "tunnel", ...overrides });
  wire.tokens.onRevoked((token) => wire.server.drop(token));
  const { key } = wire.tokens.issuePairingKey({ name: "bob", isTunnelled: true });
  return Object.assign(wire, { agent: wire.tokens.exchange(key).secret });
}

interface Sent {
  path?: string;
  method?: string;
  secret?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export async function send({ server }: Wire, { path = "/rpc", method = "POST", secret, headers, body }: Sent) {
  const request = httpRequest({
    host: "127.0.0.1",
    port: server.port,
    path,
    method,
    agent: false,
    headers: { ...(secret && { authorization: `Bearer ${secret}` }), ...headers },
  });
  request.on("error", () => {});
  request.end(body === undefined || typeof body === "string" ? body : JSON.stringify(body));
  const [response] = await once(request, "response");
  let text = "";
  for await (const part of response) text += part;
  return { status: response.statusCode as number, text, headers: response.headers as Record<string, string> };
}

export function call(method: string, params?: object, id: string | number = 1) {
  return { jsonrpc: "2.0", id, method, ...(params && { params }) };
}

/** The answer to one call, or to a batch. */
export async function ask(wire: TunnelWire, body: unknown, headers: Record<string, string> = {}) {
  const { status, text } = await send(wire, { secret: wire.agent, body, headers });
  expect(status).toBe(200);
  return JSON.parse(text);
}
