/** How a pairing key becomes a token. */
import { describe, expect, test } from "vitest";
import { send, startTunnelWire } from "./tunnel_wire.ts";
import { SECRET, type Wire } from "./wire.ts";

describe("The exchange of a pairing key", () => {
  const pair = (wire: Wire, body: unknown, headers: Record<string, string> = {}) =>
    send(wire, { path: "/pair", body, headers });

  test.each(["local", "tunnel"] as const)("at the %s listener gives a token, by JSON or as plain text", async (via) => {
    await using wire = await startTunnelWire({ via });
    const lent = { domains: ["shop.example"], share: ["t3"], isTunnelled: via === "tunnel" };
    const { key } = wire.tokens.issuePairingKey({ name: "carol", ...lent });
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
      files: [],
      expiresAt: expect.any(Number),
    });
    expect((await pair(wire, key, { accept: "text/plain" })).text).toBe(`${grant.token}\n`);
    const client = await wire.connect({ secret: grant.token });
    expect(await client.call("echo", { text: "hi" })).toMatchObject({ result: { text: "hi" } });
    // Used once, the key is spent.
    expect((await pair(wire, key)).status).toBe(401);
  });

  test("at the tunnel is for those who were paired for it, and leaves the key of others as good as it was", async () => {
    await using wire = await startTunnelWire();
    const { key } = wire.tokens.issuePairingKey({ name: "carol" });
    expect((await pair(wire, { key })).status).toBe(401);
    const { secret } = wire.tokens.exchange(key);
    expect((await send(wire, { secret, body: { jsonrpc: "2.0", id: 1, method: "echo" } })).status).toBe(401);
    expect(wire.denials.map(({ reason }) => reason)).toEqual(["pairing_key", "not_tunnelled"]);
    expect(wire.seen).toEqual([]);
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
