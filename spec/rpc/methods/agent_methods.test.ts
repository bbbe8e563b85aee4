/** What the protocol's own methods give to an agent with tabs of its own. */
import { expect, it } from "vitest";
import { AGENT_SECRET, startWire } from "../wire/wire.ts";

it("counts the protocol's own methods too, but not a cancellation", async () => {
  await using wire = await startWire();
  const agent = await wire.connect({ secret: AGENT_SECRET });
  const hello = { client: "spec", version: "1" };
  const answers = await Promise.all(Array.from({ length: 20 }, () => agent.call("session.hello", hello)));
  const refused = answers.filter(({ error }) => error?.data.kind === "rate_limited");
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(2);
  expect(refused.length).toBeGreaterThanOrEqual(10);
  expect((await agent.call("call.cancel", { id: "none" })).result).toEqual({ cancelled: false });
  const root = await wire.connect();
  const unhurried = await Promise.all(Array.from({ length: 20 }, () => root.call("session.hello", hello)));
  expect(unhurried.filter(({ error }) => error)).toEqual([]);
});

it("tells the events of its own tabs only, and refuses topics that have none", async () => {
  await using wire = await startWire({ owns: ({ token }, tab) => token.name === "bob" && tab === "t1" });
  wire.hub.publish("page", { event: "load" }, { tab: "t1" });
  wire.hub.publish("page", { event: "load" }, { tab: "t2" });
  wire.hub.publish("activity", { phase: "started" });
  const agent = await wire.connect({ secret: AGENT_SECRET });
  const history = await agent.call("events.history", { topics: ["page", "activity"] });
  expect(history.result?.events).toEqual([expect.objectContaining({ data: { tab: "t1", event: "load" } })]);
  const denied = await agent.call("events.subscribe", { topics: ["security"] });
  expect(denied.error?.data.kind).toBe("forbidden");
});
