/** A connection that has too much to do, that is lost, and that is closed. */
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { startWire, type Wire } from "./wire.ts";

/** A client whose call, with the id 1, runs until the gate releases `a`, at a server that begins to close. */
async function closeWhileHeld(wire: Wire, graceMs?: number) {
  const client = await wire.connect();
  client.send({ jsonrpc: "2.0", id: 1, method: "hold", params: { key: "a" } });
  await wire.gate.arrival("a");
  return { client, closed: client.closed(), closing: wire.server.close(graceMs) };
}

describe("A disconnect", () => {
  test("aborts a running read", async () => {
    await using wire = await startWire();
    const client = await wire.connect();
    client.send({ jsonrpc: "2.0", id: 1, method: "hold", params: { key: "a" } });
    await wire.gate.arrival("a");
    const { signal } = wire.seen[0]!.options;
    client.socket.terminate();
    if (!signal.aborted) await once(signal, "abort");
    expect(signal.reason).toMatchObject({ kind: "cancelled" });
  });

  test("lets a running action go on", async () => {
    await using wire = await startWire();
    const client = await wire.connect({ instance: "one" });
    client.send({ jsonrpc: "2.0", id: 1, method: "act", params: { key: "a" } });
    await wire.gate.arrival("a");
    client.socket.terminate();
    const other = await wire.connect();
    while (wire.server.connectionCount > 1) await other.call("echo", { text: "x" });
    expect(wire.seen[0]!.options.signal.aborted).toBe(false);
    wire.gate.release("a");
  });
});

test("Of hundreds of calls sent at once, few are begun before the first are answered", async () => {
  let open = 0;
  let mostOpen = 0;
  const dispatch = async () => {
    mostOpen = Math.max(mostOpen, ++open);
    await Promise.resolve();
    open--;
    return { command: "echo", result: { text: "" }, segments: [], text: "", exitCode: 0 };
  };
  await using wire = await startWire({ dispatch });
  const client = await wire.connect();
  const answers = await Promise.all(Array.from({ length: 300 }, () => client.call("echo", { text: "x" })));
  expect(answers).toHaveLength(300);
  expect(mostOpen).toBeLessThanOrEqual(32);
});

test("A reader who takes no answers is dropped, while others are served", async () => {
  await using wire = await startWire();
  const [slow, other] = [await wire.connect(), await wire.connect()];
  slow.socket.pause();
  const megabyte = { text: "x".repeat(1024), times: 1024, maxBytes: 2_000_000 };
  for (let id = 0; id < 100; id++) slow.send({ jsonrpc: "2.0", id, method: "echo", params: megabyte });
  while (wire.server.connectionCount > 1) await other.call("echo", { text: "x" });
  expect(wire.logged.some(({ message }) => message.startsWith("Dropped a connection"))).toBe(true);
  expect((await other.call("echo", { text: "y" })).result).toEqual({ text: "y" });
});

test("Closing sends the running answer first, then says goodbye", async () => {
  await using wire = await startWire();
  const { client, closed, closing } = await closeWhileHeld(wire);
  wire.gate.release("a");
  expect((await client.answer(1)).result).toEqual({ key: "a" });
  expect(await closed).toBe(1001);
  await closing;
});

test("Closing hears no new request, so that it can be sent to another daemon", async () => {
  await using wire = await startWire();
  const { client, closed, closing } = await closeWhileHeld(wire);
  client.send({ jsonrpc: "2.0", id: 2, method: "act", params: { key: "b" } });
  await new Promise<void>((resolve) => {
    client.socket.once("pong", () => resolve());
    client.socket.ping();
  });
  wire.gate.release("a");
  await Promise.all([closed, closing]);
  expect(wire.acted.size).toBe(0);
  expect(client.messages.map(({ id }) => id)).not.toContain(2);
});

test("Closing cancels what does not end, and still answers it", async () => {
  await using wire = await startWire();
  const { client, closing } = await closeWhileHeld(wire, 10);
  expect((await client.answer(1)).error?.data.kind).toBe("cancelled");
  await closing;
  await expect(wire.connect()).rejects.toThrow();
});
