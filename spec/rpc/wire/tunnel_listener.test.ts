/** What a paired agent can do at the listener that a tunnel leads to. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import WebSocket from "ws";
import { rootToken } from "../../../security/tokens/token.ts";
import { ask, call, send, startTunnelWire } from "./tunnel_wire.ts";
import { SECRET, startWire } from "./wire.ts";

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
    const skill = wire.tokens.issueSkill("tidy", rootToken(), { scopes: new Set(["read"]), timeoutMs: 60_000 }).secret;
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
    const { key } = wire.tokens.issuePairingKey({ name: "bob", isTunnelled: true });
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

test("A WebSocket through the tunnel takes the token as a subprotocol too", async () => {
  await using wire = await startTunnelWire({ publicHost: () => "a1.tunnel.example" });
  const socket = new WebSocket(wire.url, ["browse.v1", `bearer.${wire.agent}`], {
    headers: { host: "a1.tunnel.example" },
  });
  await once(socket, "open");
  expect(socket.protocol).toBe("browse.v1");
  socket.terminate();
});
