/** Who calls by a connection, and what each may. */
import { describe, expect, test } from "vitest";
import type { Scope } from "../../../commands/command.ts";
import { TOPICS } from "../../../rpc/events/hub.ts";
import { rootToken } from "../../../security/tokens/token.ts";
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

  test.each<Scope[][]>([[["read"]], [["write", "control"]], [["read", "control"]]])(
    "lists the topics that a token with the scopes %j may follow, and no others",
    async (scopes) => {
      await using wire = await startWire();
      wire.tokens.add("another", { ...rootToken(), scopes: new Set(scopes) });
      const client = await wire.connect({ secret: "another" });
      const { result } = await client.call("session.hello", { client: "sdk", version: "1" });
      const followed: string[] = [];
      for (const topic of TOPICS) {
        const { error } = await client.call("events.subscribe", { topics: [topic] });
        if (!error) followed.push(topic);
      }
      expect(result?.topics).toEqual(followed);
    },
  );

  test("gives a canary to whoever asks for one, and to nobody else", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const hello = async (more: object) =>
      (await client.call("session.hello", { client: "sdk", version: "1", ...more })).result;
    expect(await hello({ canary: true })).toMatchObject({ canary: "canary of root" });
    expect(await hello({ canary: false })).not.toHaveProperty("canary");
    expect(await hello({})).not.toHaveProperty("canary");
  });

  test("refuses what it does not know", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { error } = await client.call("session.hello", { client: "sdk", version: "1", token: SECRET });
    expect(error).toMatchObject({ code: -32602 });
    expect(error?.message).toContain('"session"');
  });
});

describe("The name of a session", () => {
  test.each(["a b", "", "-a", "../a", "a".repeat(65)])("is not %j, wherever it is given", async (session) => {
    await using wire = await startWire();
    const client = await wire.connect();
    const line = { argv: ["echo", "x"], cwd: "/tmp", version: "1" };
    const answers = [
      await client.call("session.hello", { client: "sdk", version: "1", session }),
      await client.call("echo", { text: "x", session }),
      await client.call("cli.exec", { ...line, session }),
    ];
    for (const { error } of answers) {
      expect(error).toMatchObject({ data: { kind: "invalid_params" } });
      expect(error?.message).toMatch(/^(?:"session"|BROWSE_SESSION) must be 1 to 64 letters/);
    }
    const { result } = await client.call("cli.exec", { ...line, argv: [`--session=${session}`, "echo", "x"] });
    expect(result).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("--session takes 1 to 64 letters") });
    expect(wire.seen).toEqual([]);
  });

  test("may be of any alphabet", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { result } = await client.call("session.hello", { client: "sdk", version: "1", session: "Käufer.1" });
    expect(result).toMatchObject({ session: "Käufer.1" });
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
