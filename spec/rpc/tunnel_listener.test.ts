/** What a paired agent, and a stranger, can do at the listener that a tunnel leads to. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import WebSocket from "ws";
import type { RpcServerOptions } from "../../rpc/server.ts";
import { SECRET, startWire, type Wire } from "./wire.ts";

interface TunnelWire extends Wire {
  agent: string;
}

/** The tunnel's listener, with one paired agent. */
async function startTunnelWire(overrides: Partial<RpcServerOptions> = {}): Promise<TunnelWire> {
  const wire = await startWire({ via: "tunnel", ...overrides });
  wire.tokens.onRevoked((token) => wire.server.drop(token));
  const { key } = wire.tokens.issuePairingKey({ name: "bob" });
  return Object.assign(wire, { agent: wire.tokens.exchange(key).secret });
}

interface Sent {
  path?: string;
  method?: string;
  secret?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

async function send({ server }: Wire, { path = "/rpc", method = "POST", secret, headers, body }: Sent) {
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

function call(method: string, params?: object, id: string | number = 1) {
  return { jsonrpc: "2.0", id, method, ...(params && { params }) };
}

/** The answer to one call, or to a batch. */
async function ask(wire: TunnelWire, body: unknown, headers: Record<string, string> = {}) {
  const { status, text } = await send(wire, { secret: wire.agent, body, headers });
  expect(status).toBe(200);
  return JSON.parse(text);
}

describe("JSON-RPC by POST", () => {
  test("answers a call and a batch as a WebSocket does", async () => {
    await using wire = await startTunnelWire();
    expect(await ask(wire, call("echo", { text: "hi" }, 7))).toEqual({ jsonrpc: "2.0", id: 7, result: { text: "hi" } });
    const batch = await ask(wire, [
      call("echo", { text: "a" }, 1),
      call("fail", {}, 2),
      null,
      { jsonrpc: "2.0", method: "x" },
    ]);
    expect(batch).toMatchObject([
      { id: 1, result: { text: "a" } },
      { id: 2, error: { data: { kind: "covered" } } },
      { id: null, error: { code: -32600 } },
    ]);
    expect(wire.seen[0]?.caller).toMatchObject({ via: "tunnel", token: { name: "bob" }, source: "127.0.0.1" });
  });

  test("guards the envelope, and answers nothing to notifications", async () => {
    await using wire = await startTunnelWire();
    expect(await ask(wire, "{")).toMatchObject({ id: null, error: { code: -32700 } });
    expect(await ask(wire, [])).toMatchObject({ id: null, error: { code: -32600 } });
    expect(await ask(wire, Array(51).fill(call("echo", { text: "" })))).toMatchObject({ error: { code: -32600 } });
    expect(await ask(wire, "[".repeat(100_000))).toMatchObject({ error: { code: -32600 } });
    const { status, text } = await send(wire, { secret: wire.agent, body: { jsonrpc: "2.0", method: "call.cancel" } });
    expect([status, text]).toEqual([204, ""]);
  });

  test("runs an action once, however often the same client asks with the same id", async () => {
    await using wire = await startTunnelWire();
    const headers = { "x-browse-client": "curl-1" };
    const first = ask(wire, call("act", { key: "a" }, "same"), headers);
    await wire.gate.arrival("a");
    const second = ask(wire, call("act", { key: "a" }, "same"), headers);
    wire.gate.release("a");
    const answer = { result: { key: "a", ran: 1 } };
    expect(await Promise.all([first, second])).toMatchObject([answer, answer]);
    expect(await ask(wire, call("act", { key: "a" }, "same"), headers)).toMatchObject(answer);
    expect(await ask(wire, call("act", { key: "b" }, "same"), headers)).toMatchObject({ error: { code: -32600 } });
    expect(wire.acted.get("a")).toBe(1);
  });

  test("ends a read whose client goes away, and lets an action go on for it to ask again", async () => {
    await using wire = await startTunnelWire();
    const leave = async (method: string, key: string) => {
      const authorization = `Bearer ${wire.agent}`;
      const request = httpRequest({
        host: "127.0.0.1",
        port: wire.server.port,
        path: "/rpc",
        method: "POST",
        headers: { authorization, "x-browse-client": "curl-2" },
      });
      request.on("error", () => {});
      request.end(JSON.stringify(call(method, { key }, key)));
      await wire.gate.arrival(key);
      request.destroy();
    };
    await leave("hold", "read");
    await leave("act", "action");
    await expect.poll(() => wire.seen[0]?.options.signal.aborted, { timeout: 20_000 }).toBe(true);
    expect(wire.seen[1]?.options.signal.aborted).toBe(false);
    wire.gate.release("action");
    const again = await ask(wire, call("act", { key: "action" }, "action"), { "x-browse-client": "curl-2" });
    expect(again).toMatchObject({ result: { ran: 1 } });
  });

  test("takes a megabyte and no more", async () => {
    await using wire = await startTunnelWire();
    const fits = call("echo", { text: "x".repeat(1_000_000), maxBytes: 2_000_000 });
    expect(await ask(wire, fits)).toMatchObject({ result: { text: expect.stringMatching(/^x{1000000}$/) } });
    const { status } = await send(wire, { secret: wire.agent, body: "x".repeat(1_100_000) });
    expect(status).toBe(413);
    const chunked = { "transfer-encoding": "chunked" };
    expect((await send(wire, { secret: wire.agent, body: "x".repeat(1_100_000), headers: chunked })).status).toBe(413);
    expect(await ask(wire, call("echo", { text: "on" }))).toMatchObject({ result: { text: "on" } });
  });

  test("does not wait for who sends slowly, headers or body", async () => {
    await using wire = await startTunnelWire({ requestTimeoutMs: 500 });
    const starts = [
      "POST /rpc HTTP/1.1\r\nHo",
      `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:${wire.server.port}\r\nAuthorization: Bearer ${wire.agent}\r\nContent-Length: 500\r\n\r\n{"json`,
    ];
    const answers = starts.map(async (start) => {
      const socket = connect(wire.server.port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write(start);
      let text = "";
      for await (const part of socket) text += part;
      return text.split("\r\n", 1)[0];
    });
    expect(await Promise.all(answers)).toEqual(Array(2).fill("HTTP/1.1 408 Request Timeout"));
    expect(await ask(wire, call("echo", { text: "on" }))).toMatchObject({ result: { text: "on" } });
  });

  test("is for the tunnel: on this machine's own listener there is none", async () => {
    await using wire = await startWire();
    expect((await send(wire, { secret: SECRET, body: call("echo", { text: "hi" }) })).status).toBe(404);
  });
});

describe("Of tokens, the tunnel", () => {
  test("takes those of paired clients only, and records the others by kind", async () => {
    await using wire = await startTunnelWire();
    const skill = wire.tokens.issueSkill("tidy", new Set(["read"]), { timeoutMs: 60_000, tabs: "own" }).secret;
    const panel = wire.tokens.issuePanel("panel").secret;
    const expected = { root_token: SECRET, token_kind: skill, wrong_token: "wrong", no_token: undefined };
    for (const [reason, secret] of Object.entries({ ...expected })) {
      expect((await send(wire, { ...(secret && { secret }), body: call("echo", { text: "" }) })).status).toBe(401);
      expect(wire.denials.at(-1)).toEqual({ reason, source: "127.0.0.1" });
    }
    expect((await send(wire, { secret: panel, body: call("echo", { text: "" }) })).status).toBe(401);
    await expect(wire.connect({ secret: SECRET })).rejects.toThrow("401");
    expect(wire.denials.at(-1)).toMatchObject({ reason: "root_token" });
    expect(wire.seen).toEqual([]);
    expect(JSON.stringify(wire.denials)).not.toContain(SECRET);
  });

  test("forgets one that is revoked: what runs for it ends, its connections close, and it opens nothing", async () => {
    await using wire = await startTunnelWire();
    const client = await wire.connect({ secret: wire.agent });
    const held = client.call("hold", { key: "held" }, "held");
    const posted = ask(wire, call("act", { key: "posted" }));
    await Promise.all([wire.gate.arrival("held"), wire.gate.arrival("posted")]);
    const closed = client.closed();
    expect(wire.tokens.revoke("BOB")).toBe(true);
    expect(await posted).toMatchObject({ error: { data: { kind: "cancelled" } } });
    expect([1001, 1006]).toContain(await closed);
    await held.catch(() => undefined);
    expect((await send(wire, { secret: wire.agent, body: call("echo", { text: "" }) })).status).toBe(401);
  });

  test("hears nobody under a new token of an old name as the old one's client", async () => {
    await using wire = await startTunnelWire();
    const headers = { "x-browse-client": "curl-3" };
    const first = ask(wire, call("act", { key: "a" }, "one"), headers);
    await wire.gate.arrival("a");
    wire.gate.release("a");
    await first;
    const { key } = wire.tokens.issuePairingKey({ name: "bob" });
    wire.agent = wire.tokens.exchange(key).secret;
    const again = ask(wire, call("act", { key: "a" }, "one"), headers);
    await expect.poll(() => wire.acted.get("a"), { timeout: 20_000 }).toBe(2);
    wire.gate.release("a");
    expect(await again).toMatchObject({ result: { ran: 2 } });
  });
});

describe("Of methods, the tunnel", () => {
  test.each([
    ["cli.exec", { argv: ["url"], cwd: "/", version: "1" }],
    ["events.subscribe", { topics: ["network"] }],
    ["events.history", { topics: ["network"] }],
    ["events.unsubscribe", { subscription: "s1" }],
    ["daemon.handover", { version: "1" }],
  ])("refuses %s, by POST and by WebSocket, and records it", async (method, params) => {
    await using wire = await startTunnelWire();
    const forbidden = { error: { data: { kind: "forbidden" } } };
    expect(await ask(wire, call(method, params))).toMatchObject(forbidden);
    const client = await wire.connect({ secret: wire.agent });
    expect(await client.call(method, params)).toMatchObject(forbidden);
    expect(wire.denials).toEqual(Array(2).fill({ reason: "forbidden", command: method, source: "127.0.0.1" }));
    expect(wire.seen).toEqual([]);
  });

  test("knows none that does not exist, and records that someone looked", async () => {
    await using wire = await startTunnelWire();
    for (const name of ["constructor", "__proto__", "daemon.json", "echoo"]) {
      expect(await ask(wire, call(name))).toMatchObject({ error: { data: { kind: "unknown_command" } } });
    }
    expect(wire.denials.map(({ reason }) => reason)).toEqual(Array(4).fill("unknown_command"));
  });

  test("offers session.hello, which takes no folder, and rpc.discover, which lists what can be called", async () => {
    await using wire = await startTunnelWire();
    const client = await wire.connect({ secret: wire.agent });
    const hello = await client.call("session.hello", { client: "bob", version: "1", cwd: "/etc", session: "work" });
    expect(hello.result?.topics).toEqual([]);
    expect(hello.result).toMatchObject({ scopes: ["read", "write", "meta"], session: "work" });
    expect(hello.result?.topics).toEqual([]);
    await client.call("echo", { text: "hi" });
    expect(wire.seen[0]?.caller.cwd).toBeUndefined();
    const { result } = await client.call("rpc.discover");
    const names = (result!.methods as unknown as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(["session.hello", "call.cancel", "rpc.discover"]);
  });
});

describe("A stranger at the tunnel", () => {
  test("gets a health that says nothing of the user, and nothing else", async () => {
    await using wire = await startTunnelWire({ health: () => ({ status: "ok", probe: "random" }) });
    expect(JSON.parse((await send(wire, { path: "/health", method: "GET" })).text)).toEqual({
      status: "ok",
      probe: "random",
    });
    for (const path of ["/", "/rpc", "/pair", "/daemon.json", "/%2e%2e/", "/health/", "/cookie-picker"]) {
      expect((await send(wire, { path, method: "GET" })).status).toBe(404);
    }
    for (const method of ["OPTIONS", "PUT", "DELETE", "HEAD"]) {
      expect((await send(wire, { method, secret: wire.agent })).status).toBe(404);
    }
  });

  test("whose request cannot be answered does not end the daemon", async () => {
    let isBroken = true;
    const health = () => {
      if (isBroken) throw new Error("A fault of ours");
      return { status: "ok" };
    };
    await using wire = await startTunnelWire({ health });
    await expect(fetch(`http://127.0.0.1:${wire.server.port}/health`)).rejects.toThrow();
    expect(wire.logged.at(-1)).toMatchObject({ level: "error", cause: { message: "A fault of ours" } });
    isBroken = false;
    expect((await send(wire, { path: "/health", method: "GET" })).status).toBe(200);
  });

  test.each([
    ["a page's origin", { origin: "https://evil.example" }, "origin"],
    ["no origin to name", { origin: "null" }, "origin"],
    ["another host's name", { host: "evil.example" }, "host"],
  ] as const)("with %s is refused and recorded, token or not", async (_what, headers, reason) => {
    await using wire = await startTunnelWire({ publicHost: () => "a1.tunnel.example" });
    for (const path of ["/rpc", "/pair"]) {
      expect((await send(wire, { path, secret: wire.agent, headers, body: "{}" })).status).toBe(403);
      expect(wire.denials.at(-1)).toMatchObject({ reason });
    }
  });

  test("is told from others by the address that the forwarder adds", async () => {
    await using wire = await startTunnelWire({ publicHost: () => "a1.tunnel.example" });
    const headers = { host: "A1.tunnel.example", "x-forwarded-for": "6.6.6.6, 203.0.113.7" };
    expect((await send(wire, { secret: "wrong", headers })).status).toBe(401);
    expect(wire.denials.at(-1)).toEqual({ reason: "wrong_token", source: "203.0.113.7" });
    expect(await ask(wire, call("echo", { text: "hi" }), headers)).toMatchObject({ result: { text: "hi" } });
    expect(wire.seen[0]?.caller.source).toBe("203.0.113.7");
  });

  test("cannot keep the agents out by holding all connections", async () => {
    await using wire = await startTunnelWire({ maxConnections: 3, requestTimeoutMs: 500 });
    const held = Array.from({ length: 6 }, async () => {
      const socket = connect(wire.server.port, "127.0.0.1").on("error", () => {});
      let bytes = 0;
      socket.on("data", (data) => (bytes += data.length));
      await once(socket, "close");
      return bytes > 0;
    });
    // Those beyond the limit are not even told that they were too slow.
    expect((await Promise.all(held)).filter(Boolean)).toHaveLength(3);
    expect(await ask(wire, call("echo", { text: "on" }))).toMatchObject({ result: { text: "on" } });
  });
});

describe("The exchange of a pairing key", () => {
  const pair = (wire: Wire, body: unknown, headers: Record<string, string> = {}) =>
    send(wire, { path: "/pair", body, headers });

  test.each(["local", "tunnel"] as const)("at the %s listener gives a token, by JSON or as plain text", async (via) => {
    await using wire = await startTunnelWire({ via });
    const { key } = wire.tokens.issuePairingKey({ name: "carol", domains: ["shop.example"], share: ["t3"] });
    const { status, text, headers } = await pair(wire, { key });
    expect(status).toBe(200);
    expect(headers["cache-control"]).toBe("no-store");
    const grant = JSON.parse(text);
    expect(grant).toEqual({
      token: expect.any(String),
      name: "carol",
      scopes: ["read", "write", "meta"],
      tabs: "own",
      shared: ["t3"],
      domains: ["shop.example"],
      expiresAt: expect.any(Number),
    });
    expect((await pair(wire, key, { accept: "text/plain" })).text).toBe(`${grant.token}\n`);
    const client = await wire.connect({ secret: grant.token });
    expect(await client.call("echo", { text: "hi" })).toMatchObject({ result: { text: "hi" } });
    // Used once, the key is spent.
    expect((await pair(wire, key)).status).toBe(401);
  });

  test("refuses what is no key without a word, and records it", async () => {
    await using wire = await startTunnelWire();
    const bodies = [
      "",
      "wrong",
      "{}",
      { key: 5 },
      { key: "" },
      { key: "wrong", scopes: ["admin"] },
      "[]",
      "null",
      wire.agent,
      SECRET,
    ];
    for (const body of bodies) {
      expect(await pair(wire, body)).toMatchObject({ status: 401, text: "Unauthorized\n" });
    }
    expect(wire.denials).toEqual(Array(bodies.length).fill({ reason: "pairing_key", source: "127.0.0.1" }));
    expect((await pair(wire, "x".repeat(5_000))).status).toBe(413);
  });

  test("stops after 300 tries, and says when to come back", async () => {
    await using wire = await startTunnelWire();
    const answers: Awaited<ReturnType<typeof pair>>[] = [];
    while (!answers.some(({ status }) => status === 429)) {
      answers.push(...(await Promise.all(Array.from({ length: 40 }, () => pair(wire, "wrong")))));
    }
    // One was taken for the agent of this test.
    expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(299);
    expect(answers.find(({ status }) => status === 429)?.headers["retry-after"]).toBe("60");
    expect(wire.denials.at(-1)).toMatchObject({ reason: "rate_limited" });
  });
});

test("A WebSocket through the tunnel takes the token as a subprotocol too", async () => {
  await using wire = await startTunnelWire({ publicHost: () => "a1.tunnel.example" });
  const socket = new WebSocket(wire.url, ["browse.v1", `bearer.${wire.agent}`], {
    headers: { host: "a1.tunnel.example" },
  });
  await once(socket, "open");
  expect(socket.protocol).toBe("browse.v1");
  socket.terminate();
});
