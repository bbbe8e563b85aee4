/** Many connections that come and go as they like leave nothing behind. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { BareClient } from "./bare_client.ts";
import { startWire } from "./wire.ts";

const CONNECTIONS = 200;
const REPLACED = 400;

test("200 connections, half of them subscribed, opened and dropped at random, leave no subscription and no word in the log", async () => {
  const resources = () => process.getActiveResourcesInfo().filter((kind) => /^(TCP|Timeout)/.test(kind)).length;
  const before = resources();
  {
    await using wire = await startWire();
    const random = fc.sample(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), REPLACED * 2);
    const chance = () => random.pop() ?? 0.5;
    const join = async (): Promise<BareClient> => {
      const client = await wire.connect();
      if (chance() < 0.5) await client.call("events.subscribe", { topics: ["page", "console"], since: 0 });
      return client;
    };
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, join));
    expect(wire.server.connectionCount).toBe(CONNECTIONS);
    for (let left = REPLACED; left > 0; left -= 20) {
      for (let n = 0; n < 20; n++) wire.hub.publish("console", { text: "x".repeat(1_000) });
      const leaving = Array.from({ length: 20 }, () => Math.floor(chance() * CONNECTIONS));
      for (const index of leaving) clients[index]?.socket[index % 2 ? "terminate" : "close"]();
      await Promise.all([...new Set(leaving)].map(async (index) => (clients[index] = await join())));
    }
    for (const { socket } of clients) socket.terminate();
    const [witness] = [await wire.connect()];
    while (wire.server.connectionCount > 1) await witness.call("echo", { text: "still there?" });
    expect(wire.hub.subscriptionCount).toBe(0);
    expect(wire.logged.filter(({ level }) => level !== "debug")).toEqual([]);
  }
  await expect.poll(resources).toBeLessThanOrEqual(before);
});
