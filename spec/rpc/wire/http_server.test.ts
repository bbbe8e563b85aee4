import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect, createServer } from "node:net";
import { describe, expect, test } from "vitest";
import WebSocket, { type ClientOptions } from "ws";
import { SECRET, startWire, type Wire } from "./wire.ts";

const bearer = { authorization: `Bearer ${SECRET}` };

/** The status an upgrade is refused with, or 101. */
async function upgrade(url: string, protocols: string[], options: ClientOptions): Promise<number> {
  const socket = new WebSocket(url, protocols, options);
  const status = await new Promise<number>((resolve, reject) => {
    socket.on("open", () => resolve(101));
    socket.on("unexpected-response", (_request, response) => {
      response.resume();
      expect(response.headers["content-length"]).toBe("0");
      resolve(response.statusCode ?? 0);
    });
    socket.on("error", reject);
  });
  socket.on("error", () => {});
  socket.terminate();
  return status;
}

async function get(wire: Wire, path: string, headers: Record<string, string> = {}, method = "GET") {
  const request = httpRequest({ host: "127.0.0.1", port: wire.server.port, path, headers, method, agent: false }).end();
  const [response] = await once(request, "response");
  let body = "";
  for await (const chunk of response) body += chunk;
  return { status: response.statusCode as number, body, headers: response.headers };
}

describe("An upgrade", () => {
  test("passes with the token in the Authorization header", async () => {
    await using wire = await startWire();
    expect(await upgrade(wire.url, [], { headers: bearer })).toBe(101);
  });

  test("passes with the token as a subprotocol, and selects only our own name", async () => {
    await using wire = await startWire();
    const socket = new WebSocket(wire.url, ["browse.v1", `bearer.${SECRET}`, "client.page-1"]);
    await once(socket, "open");
    expect(socket.protocol).toBe("browse.v1");
    socket.terminate();
  });

  test.each([
    ["no token", {}, []],
    ["a wrong token", { headers: { authorization: "Bearer wrong" } }, []],
    ["the token with something after it", { headers: { authorization: `Bearer ${SECRET}x` } }, []],
    ["another scheme", { headers: { authorization: `Basic ${SECRET}` } }, []],
    ["an empty bearer", { headers: { authorization: "Bearer " } }, []],
    ["a wrong token as a subprotocol", {}, ["browse.v1", "bearer.wrong"]],
  ])("with %s gets 401", async (_what, options, protocols) => {
    await using wire = await startWire();
    expect(await upgrade(wire.url, protocols, options)).toBe(401);
  });

  test("with a token of other than ASCII letters gets 401", async () => {
    await using wire = await startWire();
    const headers = { authorization: `Bearer ${"é".repeat(SECRET.length)}` };
    expect(await upgrade(wire.url, [], { headers })).toBe(401);
  });

  test.each([
    "https://evil.example",
    "null",
    "http://127.0.0.1:1",
    "http://localhost.evil.example",
    "chrome-extension://other",
  ])("from the origin %s gets 403, token or not", async (origin) => {
    await using wire = await startWire({ allowedOrigins: ["chrome-extension://ours"] });
    expect(await upgrade(wire.url, [], { headers: bearer, origin })).toBe(403);
  });

  test("from the daemon's own or an allowed origin passes", async () => {
    await using wire = await startWire({ allowedOrigins: ["chrome-extension://ours"] });
    expect(await upgrade(wire.url, [], { headers: bearer, origin: "chrome-extension://ours" })).toBe(101);
    expect(await upgrade(wire.url, [], { headers: bearer, origin: `http://127.0.0.1:${wire.server.port}` })).toBe(101);
  });

  test("for another host gets 403", async () => {
    await using wire = await startWire();
    const { port } = wire.server;
    for (const host of [`evil.example:${port}`, "127.0.0.1:1", "127.0.0.1", `127.0.0.1.evil.example:${port}`]) {
      expect(await upgrade(wire.url, [], { headers: { ...bearer, host } })).toBe(403);
    }
    for (const host of [`localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`]) {
      expect(await upgrade(wire.url, [], { headers: { ...bearer, host } })).toBe(101);
    }
  });

  test("on another path gets 404, and with a malformed instance id 400", async () => {
    await using wire = await startWire();
    expect(await upgrade(`${wire.url}x`, [], { headers: bearer })).toBe(404);
    expect(await upgrade(wire.url, [], { headers: { ...bearer, "x-browse-client": "a b" } })).toBe(400);
  });

  test("that is reset while it is refused does no harm", async () => {
    await using wire = await startWire();
    for (let i = 0; i < 20; i++) {
      const socket = connect(wire.server.port, "127.0.0.1");
      await once(socket, "connect");
      socket.write("GET /rpc HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      socket.resetAndDestroy();
    }
    expect((await get(wire, "/health")).status).toBe(200);
  });
});

describe("Plain HTTP", () => {
  test("has the daemon's health, without any secret", async () => {
    await using wire = await startWire();
    const { status, body } = await get(wire, "/health");
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      status: "ok",
      version: "9.9.9",
      protocol: "1.0.0",
      mode: "headless",
      uptimeMs: 1,
      browser: "none",
    });
    expect(body).not.toContain(SECRET);
  });

  test("has nothing else", async () => {
    await using wire = await startWire();
    for (const path of ["/", "/rpc", "/health/x", "/healthz", "/../health", "/%2e"]) {
      expect((await get(wire, path)).status).toBe(404);
    }
    expect((await get(wire, "/health", {}, "POST")).status).toBe(404);
  });

  test("refuses another host or origin, and lets no page read it", async () => {
    await using wire = await startWire();
    expect((await get(wire, "/health", { host: "evil.example" })).status).toBe(403);
    expect((await get(wire, "/health", { origin: "https://evil.example" })).status).toBe(403);
    expect((await get(wire, "/health")).headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("The port", () => {
  test("is random, below the ephemeral range, and bound to loopback only", async () => {
    await using wire = await startWire();
    expect(wire.server.port).toBeGreaterThanOrEqual(10_000);
    expect(wire.server.port).toBeLessThanOrEqual(49_151);
  });

  test("that is taken is a typed error", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    await expect(startWire({ port })).rejects.toMatchObject({ kind: "unsupported", details: { port } });
    other.close();
    await once(other, "close");
  });
});

test("A peer that answers no ping is dropped, and one that does is kept", async () => {
  await using wire = await startWire({ pingEveryMs: 1000 });
  const alive = await wire.connect();
  const dead = await wire.connect({ autoPong: false });
  let pings = 0;
  alive.socket.on("ping", () => pings++);
  expect(await dead.closed()).toBe(1006);
  while (pings < 3) await once(alive.socket, "ping");
  expect((await alive.call("echo", { text: "x" })).result).toEqual({ text: "x" });
});

test("200 connections are served at once, each with its own answers", async () => {
  await using wire = await startWire();
  const clients = await Promise.all(Array.from({ length: 200 }, () => wire.connect()));
  expect(wire.server.connectionCount).toBe(200);
  const answers = await Promise.all(clients.map((client, index) => client.call("echo", { text: `${index}` }, 1)));
  expect(answers.map(({ result }) => result?.text)).toEqual(clients.map((_, index) => `${index}`));
});
