/** What a stranger can do at the listener that a tunnel leads to. */
import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { ask, call, send, startTunnelWire } from "./tunnel_wire.ts";

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
