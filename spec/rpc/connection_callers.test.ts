/** Who calls by a connection, and what each may. */
import { describe, expect, test } from "vitest";
import { CONTROL_SECRET, SECRET, startWire } from "./wire.ts";

describe("session.hello", () => {
  test("tells what the client may do and sets the connection's session", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { result } = await client.call("session.hello", {
      client: "sdk",
      version: "1.2.3",
      session: "work",
      cwd: "/tmp",
    });
    expect(result).toMatchObject({ protocol: "1.0.0", version: "9.9.9", session: "work", scopes: ["read", "write"] });
    expect(result?.topics).toContain("console");
    await client.call("echo", { text: "x" });
    await client.call("echo", { text: "x", session: "other" });
    expect(wire.seen.map(({ options }) => options.session)).toEqual(["work", "other"]);
    expect(wire.seen[0]?.caller).toMatchObject({
      client: "sdk/1.2.3",
      cwd: "/tmp",
      via: "local",
      token: { name: "root" },
    });
  });

  test("refuses what it does not know", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { error } = await client.call("session.hello", { client: "sdk", version: "1", token: SECRET });
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain('"session"');
  });
});

describe("What is not for every token", () => {
  test("daemon.handover tells whether the daemon goes, to those who may end it", async () => {
    await using wire = await startWire();
    const [controller, reader] = [await wire.connect({ secret: CONTROL_SECRET }), await wire.connect()];
    expect((await controller.call("daemon.handover", { version: "2.0.0" })).result).toEqual({
      restarting: false,
      reason: "The client is 2.0.0",
      command: "browse restart",
    });
    expect((await reader.call("daemon.handover", { version: "2.0.0" })).error?.data.kind).toBe("forbidden");
    const { key } = wire.tokens.issuePairingKey({ name: "carol", scopes: ["control"] });
    const carol = await wire.connect({ secret: wire.tokens.exchange(key).secret });
    expect((await carol.call("daemon.handover", { version: "2.0.0" })).error?.data.kind).toBe("not_owner");
  });

  test("events need the scope read", async () => {
    await using wire = await startWire();
    const client = await wire.connect({ secret: CONTROL_SECRET });
    expect((await client.call("events.subscribe", { topics: ["page"] })).error?.data.kind).toBe("forbidden");
    expect((await client.call("events.history", { topics: ["page"] })).error?.data.kind).toBe("forbidden");
  });

  test("another token's holder reaches no call by naming the same client process", async () => {
    await using wire = await startWire();
    const mine = await wire.connect({ instance: "one" });
    mine.send({ jsonrpc: "2.0", id: 1, method: "act", params: { key: "a" } });
    await wire.gate.arrival("a");
    const theirs = await wire.connect({ instance: "one", secret: CONTROL_SECRET });
    expect((await theirs.call("call.cancel", { id: 1 }, 2)).result).toEqual({ cancelled: false });
    wire.gate.release("a");
    expect((await mine.answer(1)).result).toEqual({ key: "a", ran: 1 });
  });
});
