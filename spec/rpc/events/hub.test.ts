import { describe, expect, test } from "vitest";
import { EventHub, TOPICS } from "../../../rpc/events/hub.ts";
import type { EventRecord } from "../../../rpc/protocol.ts";
import type { BareClient } from "../wire/bare_client.ts";
import { startWire, type Wire } from "../wire/wire.ts";

async function subscribe(
  client: BareClient,
  params: object,
): Promise<{ subscription: string; cursor: Record<string, number> }> {
  const { result, error } = await client.call("events.subscribe", params);
  if (error) throw new Error(error.message);
  return result as never;
}

async function eventAt(client: BareClient): Promise<EventRecord & { subscription: string }> {
  return (await client.notification("event")) as never;
}

/** Everything received up to the event or gap that reaches `seq`. */
async function receivedUpTo(
  client: BareClient,
  seq: number,
): Promise<{ events: number[]; gaps: { from: number; to: number; dropped: number }[] }> {
  const events: number[] = [];
  const gaps: { from: number; to: number; dropped: number }[] = [];
  for (;;) {
    const { method, params } = await client.next(({ method }) => method === "event" || method === "gap");
    if (method === "gap") gaps.push(params as never);
    else events.push(params?.seq as number);
    if (events.at(-1) === seq) return { events, gaps };
  }
}

describe("A subscription", () => {
  test("streams its topics, numbered from 1 in each, with place and time", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { subscription, cursor } = await subscribe(client, { topics: ["console", "page"] });
    expect(cursor).toEqual({ console: 0, page: 0 });
    wire.hub.publish("console", { text: "hi" }, { tab: "t1", session: "default" });
    wire.hub.publish("network", { url: "http://x/" });
    wire.hub.publish("page", { what: "load" });
    expect(await eventAt(client)).toEqual({
      subscription,
      seq: 1,
      topic: "console",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      untrusted: true,
      data: { text: "hi", tab: "t1", session: "default" },
    });
    expect(await eventAt(client)).toMatchObject({ seq: 1, topic: "page" });
  });

  test("gives the time that is known of an event, in one place", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    await subscribe(client, { topics: ["console"] });
    const told = {
      seq: 1,
      topic: "console",
      time: "2026-01-01T00:00:00.000Z",
      untrusted: true,
      data: { text: "hi", tab: "t1" },
    };
    wire.hub.publish("console", { text: "hi", time: told.time }, { tab: "t1" });
    expect(await eventAt(client)).toEqual({ subscription: expect.any(String), ...told });
    expect(wire.hub.history({ topics: ["console"] }).events).toEqual([told]);
  });

  test("ends on request, and with its connection", async () => {
    await using wire = await startWire();
    const [client, other] = [await wire.connect(), await wire.connect()];
    const { subscription } = await subscribe(client, { topics: ["page"] });
    expect((await other.call("events.unsubscribe", { subscription })).result).toEqual({ unsubscribed: false });
    expect((await client.call("events.unsubscribe", { subscription })).result).toEqual({ unsubscribed: true });
    wire.hub.publish("page", {});
    await subscribe(client, { topics: ["page"] });
    expect(wire.hub.subscriptionCount).toBe(1);
    client.socket.terminate();
    while (wire.hub.subscriptionCount > 0) await other.call("echo", { text: "x" });
    expect(client.messages.some(({ method }) => method === "event")).toBe(false);
  });

  test("begins with what is kept since a cursor, after its own answer", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    for (let i = 1; i <= 5; i++) wire.hub.publish("page", { i });
    await subscribe(client, { topics: ["page"], since: 3 });
    wire.hub.publish("page", { i: 6 });
    expect(await receivedUpTo(client, 6)).toEqual({ events: [4, 5, 6], gaps: [] });
  });

  test("is answered before its first event", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    wire.hub.publish("page", {});
    client.send({ jsonrpc: "2.0", id: 1, method: "events.subscribe", params: { topics: ["page"], since: 0 } });
    expect(await client.next()).toMatchObject({ id: 1 });
    expect(await client.next()).toMatchObject({ method: "event" });
  });

  test("takes a cursor for each topic", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    for (const topic of ["page", "refs"] as const) for (let i = 1; i <= 3; i++) wire.hub.publish(topic, {});
    await subscribe(client, { topics: ["page", "refs"], since: { page: 3, refs: 2 } });
    expect(await eventAt(client)).toMatchObject({ topic: "refs", seq: 3 });
  });

  test("says what is gone of what it asks for", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    for (let i = 1; i <= 1_500; i++) wire.hub.publish("page", {});
    const { subscription } = await subscribe(client, { topics: ["page"], since: 100 });
    const { params } = await client.next(({ method }) => method === "gap" || method === "event");
    expect(params).toEqual({ subscription, topic: "page", dropped: 400, from: 101, to: 500 });
    expect((await receivedUpTo(client, 1_500)).events).toHaveLength(1_000);
  });

  test("replays everything for a cursor of an earlier daemon", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    wire.hub.publish("page", {});
    await subscribe(client, { topics: ["page"], since: 900 });
    expect(await eventAt(client)).toMatchObject({ seq: 1 });
  });

  test.each([
    [{ tab: "t1" }, [1, 3]],
    [{ session: "work" }, [3]],
    [{ level: "error" }, [2]],
    [{ type: "image" }, [4]],
    [{ command: "goto" }, [5]],
    [{ url: "https://*.example/a*" }, [4]],
    [{ status: 400 }, [4]],
    [{ tab: "t1", session: "work" }, [3]],
    [{}, [1, 2, 3, 4, 5]],
  ])("with the filter %j gets what fits", (filter, expected) => {
    const hub = new EventHub();
    hub.publish("activity", { level: "log" }, { tab: "t1" });
    hub.publish("activity", { level: "error" }, { tab: "t2" });
    hub.publish("activity", {}, { tab: "t1", session: "work" });
    hub.publish("activity", { type: "image", url: "https://x.example/abc", status: 404 });
    hub.publish("activity", { command: "goto", url: "https://x.example/b", status: 200 });
    expect(hub.history({ topics: ["activity"], filter }).events.map(({ seq }) => seq)).toEqual(expected);
  });

  test.each([[["consol"]], [["__proto__"]], [[]]])(
    "to the topics %j is refused with the list of topics",
    async (topics) => {
      await using wire = await startWire();
      const client = await wire.connect();
      const { error } = await client.call("events.subscribe", { topics });
      expect(error).toMatchObject({ code: -32602, data: { kind: "invalid_params" } });
      for (const topic of TOPICS) expect(error?.data.hint).toContain(topic);
    },
  );
});

describe("A filter", () => {
  test("of something unknown is refused with what may be filtered by", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    const { error } = await client.call("events.subscribe", { topics: ["page"], filter: { tabs: "t1" } });
    expect(error).toMatchObject({ code: -32602, data: { kind: "invalid_params" } });
    expect(error?.message).toBe(
      'Unknown member "tabs" (did you mean "tab"?) in "filter"; ' +
        'it accepts "tab", "session", "level", "url", "type", "command", "status"',
    );
  });
});

describe("A slow subscriber", () => {
  const text = "x".repeat(10_000);

  /** Publishes until the reader is so far behind that events are dropped, and some more. */
  async function publishMany(wire: Wire, count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      wire.hub.publish("console", { text });
      if (i % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  test("loses the oldest with a gap that accounts for every number, and others lose nothing", async () => {
    await using wire = await startWire();
    const [slow, quick] = [await wire.connect(), await wire.connect()];
    await subscribe(slow, { topics: ["console"], buffer: 50 });
    await subscribe(quick, { topics: ["console"] });
    slow.socket.pause();
    const count = 5_000;
    await publishMany(wire, count);
    expect((await receivedUpTo(quick, count)).events).toHaveLength(count);
    slow.socket.resume();
    const { events, gaps } = await receivedUpTo(slow, count);
    expect(gaps.length).toBeGreaterThan(0);
    const lost = gaps.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
    expect(gaps.reduce((sum, { dropped }) => sum + dropped, 0)).toBe(lost.length);
    expect([...events, ...lost].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, i) => i + 1));
    expect(events).toEqual([...events].sort((a, b) => a - b));
  });

  test("does not grow the daemon: its socket holds about 8 MB and its queue what it may", async () => {
    await using wire = await startWire();
    const slow = await wire.connect();
    await subscribe(slow, { topics: ["console"], buffer: 50 });
    slow.socket.pause();
    await publishMany(wire, 20_000);
    // 200 MB were published; the connection would have been dropped at 64 MB of unread bytes.
    expect(wire.server.connectionCount).toBe(1);
    slow.socket.resume();
    expect((await receivedUpTo(slow, 20_000)).events.length).toBeLessThan(2_500);
  });
});

describe("History", () => {
  test("gives the newest of several topics in the order of time", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    for (let i = 1; i <= 3; i++) wire.hub.publish("page", { i });
    wire.hub.publish("refs", {});
    const { result } = await client.call("events.history", { topics: ["page", "refs"], limit: 2 });
    expect(result).toMatchObject({ events: [{ seq: 3 }, { topic: "refs" }], cursor: { page: 3, refs: 1 } });
  });

  test("keeps 1,000 of most topics and 50,000 of console lines", () => {
    const hub = new EventHub();
    for (let i = 0; i < 50_010; i++) hub.publish("console", {});
    for (let i = 0; i < 1_010; i++) hub.publish("page", {});
    expect(hub.history({ topics: ["console"], limit: 100_000 }).events).toHaveLength(50_000);
    expect(hub.history({ topics: ["page"], limit: 100_000 }).events[0]?.seq).toBe(11);
  });
});
