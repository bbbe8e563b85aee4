/** What a client sends over its connection, and what it is answered. */
import { describe, expect, test } from "vitest";
import { startWire } from "./wire.ts";

describe("A request", () => {
  test("is answered with the command's result", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    expect(await client.call("echo", { text: "hi" }, 7)).toEqual({ jsonrpc: "2.0", id: 7, result: { text: "hi" } });
    expect(await client.call("echo", { text: "hi" }, "seven")).toMatchObject({ id: "seven" });
  });

  test("by an alias means what the alias stands for, unless it says otherwise", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    expect((await client.call("echo-twice", { text: "hi" })).result).toEqual({ text: "hihi" });
    expect((await client.call("echo-twice", { text: "hi", times: 3 })).result).toEqual({ text: "hihihi" });
  });

  test("chooses tab, session and limits by members that the command does not see", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    await client.call("echo", { text: "hi", tab: "t3", session: "work", timeoutMs: 50, maxBytes: 99 });
    expect(wire.seen[0]?.params).toEqual({ text: "hi" });
    expect(wire.seen[0]?.options).toMatchObject({ tab: "t3", session: "work", timeoutMs: 50 });
  });

  test("whose answer is over its budget is told so, and how many bytes there are", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { error } = await client.call("echo", { text: "é".repeat(20), maxBytes: 60 });
    expect(error?.data).toMatchObject({ kind: "too_large", maxBytes: 60, hint: expect.stringContaining("maxBytes") });
    const long = "x".repeat(1_000_000);
    expect((await client.call("echo", { text: long })).error?.data).toMatchObject({ kind: "too_large" });
    expect((await client.call("echo", { text: long, maxBytes: 2_000_000 })).result).toEqual({ text: long });
  });

  test.each([{ tab: 3 }, { tab: "3" }, { session: "" }, { timeoutMs: 0 }, { timeoutMs: "1" }, { maxBytes: -1 }])(
    "with the member %j is refused before dispatch",
    async (member) => {
      await using wire = await startWire();
      const client = await wire.connect();
      const { error } = await client.call("echo", { text: "hi", ...member });
      expect(error).toMatchObject({ code: -32602, data: { kind: "invalid_params" } });
      expect(wire.seen).toHaveLength(0);
    },
  );

  test("for an unknown method is told the nearest one", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { error } = await client.call("ehco");
    expect(error).toMatchObject({ code: -32601, data: { kind: "unknown_command" } });
    expect(error?.message).toContain('did you mean "echo"?');
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "for the method %s finds none",
    async (method) => {
      await using wire = await startWire();
      const client = await wire.connect();
      expect((await client.call(method)).error?.code).toBe(-32601);
    },
  );

  test.each(["__proto__", "constructor", "toString"])(
    "with a param called %s names the params there are",
    async (name) => {
      await using wire = await startWire();
      const client = await wire.connect();
      client.send(`{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"x","${name}":{"polluted":true}}}`);
      const { error } = await client.answer(1);
      expect(error).toMatchObject({ code: -32602 });
      expect(error?.message).toContain('"text"');
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  test("that fails carries code, kind, hint and details", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    expect((await client.call("fail")).error).toEqual({
      code: -32016,
      message: 'The button is covered by "<div>"',
      data: { kind: "covered", hint: expect.any(String), by: "div" },
    });
  });

  test("that hits a fault of ours says so, and only the log has the cause", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { error } = await client.call("fail", { how: "plainly" });
    expect(error).toMatchObject({ code: -32603, data: { kind: "internal" } });
    expect(JSON.stringify(error)).not.toContain("secret detail");
    expect(wire.logged.some(({ cause }) => String(cause).includes("A secret detail"))).toBe(true);
  });

  test("gets no lone surrogate back", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.send('{"jsonrpc":"2.0","id":1,"method":"echo","params":{"text":"a\\ud800b \\\\ud800 \\ud83d\\ude00"}}');
    expect((await client.answer(1)).result).toEqual({ text: "a\ufffdb \\ud800 😀" });
  });

  test("in a binary frame is refused, and the connection goes on", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.socket.send(Buffer.from([1, 2, 3]));
    expect((await client.answer(null)).error?.code).toBe(-32700);
    expect((await client.call("echo", { text: "x" })).result).toEqual({ text: "x" });
  });

  test("of more than 16 MB ends its own connection and no other", async () => {
    await using wire = await startWire();
    const [huge, other] = [await wire.connect(), await wire.connect()];
    huge.send(
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "echo", params: { text: "x".repeat(17 * 1024 * 1024) } }),
    );
    expect(await huge.closed()).toBe(1009);
    expect((await other.call("echo", { text: "x" })).result).toEqual({ text: "x" });
  });

  test("without an id is a notification: nothing runs and nothing is answered", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.send({ jsonrpc: "2.0", method: "act", params: { key: "a" } });
    client.send({ jsonrpc: "2.0", method: "nothing" });
    client.send([{ jsonrpc: "2.0", method: "act", params: { key: "a" } }]);
    await client.call("echo", { text: "x" }, 1);
    expect(wire.seen.map(({ name }) => name)).toEqual(["echo"]);
    expect(client.messages.filter(({ method }) => method === undefined)).toEqual([]);
  });

  test("whose id is in use by another call is refused, and the other goes on", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.send({ jsonrpc: "2.0", id: 1, method: "hold", params: { key: "a" } });
    await wire.gate.arrival("a");
    const refused = await client.call("echo", { text: "x" }, 1);
    expect(refused.error?.code).toBe(-32600);
    wire.gate.release("a");
    expect((await client.answer(1)).result).toEqual({ key: "a" });
  });
});

describe("Notifications of a call", () => {
  test("come before its answer, under its id", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    await client.call("echo", { text: "x" }, "e");
    expect(client.messages).toEqual([
      { jsonrpc: "2.0", method: "log", params: { id: "e", level: "warning", message: "Mind the gap" } },
      { jsonrpc: "2.0", method: "progress", params: { id: "e", done: 1, total: 2, unit: "steps" } },
    ]);
  });

  test("announce an effect before it begins, and nothing for a read", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.send({ jsonrpc: "2.0", id: 5, method: "act", params: { key: "a" } });
    expect(await client.notification("accepted")).toEqual({ id: 5 });
    await wire.gate.arrival("a");
    wire.gate.release("a");
    await client.answer(5);
    await client.call("echo", { text: "x" });
    expect(client.messages.some(({ method }) => method === "accepted")).toBe(false);
  });
});

describe("Cancelling", () => {
  test("by notification ends the call with kind cancelled", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.send({ jsonrpc: "2.0", id: "long", method: "hold", params: { key: "a" } });
    await wire.gate.arrival("a");
    client.send({ jsonrpc: "2.0", method: "call.cancel", params: { id: "long" } });
    expect((await client.answer("long")).error?.data.kind).toBe("cancelled");
  });

  test("by request says whether there was such a call", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.send({ jsonrpc: "2.0", id: 1, method: "hold", params: { key: "a" } });
    await wire.gate.arrival("a");
    expect((await client.call("call.cancel", { id: "1" }, 2)).result).toEqual({ cancelled: false });
    expect((await client.call("call.cancel", { id: 1 }, 3)).result).toEqual({ cancelled: true });
    expect((await client.answer(1)).error?.data.kind).toBe("cancelled");
  });

  test("does not reach another client's call of the same id", async () => {
    await using wire = await startWire();
    const [mine, theirs] = [await wire.connect(), await wire.connect()];
    mine.send({ jsonrpc: "2.0", id: 1, method: "hold", params: { key: "a" } });
    await wire.gate.arrival("a");
    expect((await theirs.call("call.cancel", { id: 1 }, 2)).result).toEqual({ cancelled: false });
    wire.gate.release("a");
    expect((await mine.answer(1)).result).toEqual({ key: "a" });
  });
});

describe("A batch", () => {
  test("is answered as an array, also when it has one item", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.send([{ jsonrpc: "2.0", id: 1, method: "echo", params: { text: "x" } }]);
    const answer = await client.next((message) => Array.isArray(message));
    expect(answer).toEqual([{ jsonrpc: "2.0", id: 1, result: { text: "x" } }]);
  });

  test("runs in order for one tab and in parallel across tabs", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const hold = (id: number, key: string, tab: string) => ({
      jsonrpc: "2.0",
      id,
      method: "hold",
      params: { key, tab },
    });
    client.send([hold(1, "a1", "t1"), hold(2, "a2", "t1"), hold(3, "b1", "t2")]);
    await Promise.all([wire.gate.arrival("a1"), wire.gate.arrival("b1")]);
    expect(wire.seen.map(({ params }) => params.key)).toEqual(["a1", "b1"]);
    wire.gate.release("a1");
    await wire.gate.arrival("a2");
    wire.gate.release("a2");
    wire.gate.release("b1");
    const answer = (await client.next((message) => Array.isArray(message))) as unknown as { id: number }[];
    expect(answer.map(({ id }) => id)).toEqual([1, 2, 3]);
  });

  test("keeps the order of a tab that some items name and others mean as the current one", async () => {
    await using wire = await startWire({ currentTab: () => "t1" });
    const client = await wire.connect();
    const hold = (id: number, key: string, tab?: string) => ({
      jsonrpc: "2.0",
      id,
      method: "hold",
      params: { key, ...(tab && { tab }) },
    });
    client.send([hold(1, "a"), hold(2, "b"), hold(3, "c", "t1"), hold(4, "elsewhere", "t2"), hold(5, "d")]);
    await wire.gate.arrival("elsewhere");
    wire.gate.release("elsewhere");
    for (const key of ["a", "b", "c", "d"]) {
      await wire.gate.arrival(key);
      expect(wire.seen.filter(({ params }) => params.key !== "elsewhere").at(-1)?.params.key).toBe(key);
      wire.gate.release(key);
    }
    await client.next((message) => Array.isArray(message));
  });

  test("goes on after a failed item, malformed ones included", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const echo = { jsonrpc: "2.0", id: 3, method: "echo", params: { text: "x" } };
    client.send([{ jsonrpc: "2.0", id: 1, method: "fail" }, null, [echo], echo]);
    const answer = (await client.next((message) => Array.isArray(message))) as unknown as {
      id: unknown;
      error?: { code: number };
    }[];
    expect(answer.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, -32016],
      [null, -32600],
      [null, -32600],
      [3, undefined],
    ]);
  });

  test("has its waiting items cancelled like running ones", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const hold = (id: number, key: string) => ({ jsonrpc: "2.0", id, method: "hold", params: { key } });
    client.send([hold(1, "a"), hold(2, "b")]);
    await wire.gate.arrival("a");
    expect((await client.call("call.cancel", { id: 2 }, 9)).result).toEqual({ cancelled: true });
    wire.gate.release("a");
    const answer = (await client.next((message) => Array.isArray(message))) as unknown as {
      error?: { data: unknown };
    }[];
    expect(answer[1]?.error?.data).toMatchObject({ kind: "cancelled" });
    expect(wire.seen).toHaveLength(1);
  });
});
