/** What the protocol's own methods give to an agent with tabs of its own. */
import { expect, it } from "vitest";
import { AGENT_SECRET, startWire } from "./wire.ts";

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

it("tells no events of everybody's tabs to whoever has tabs of its own", async () => {
  await using wire = await startWire();
  const agent = await wire.connect({ secret: AGENT_SECRET });
  for (const method of ["events.subscribe", "events.history"]) {
    expect((await agent.call(method, { topics: ["activity"] })).error?.data.kind).toBe("forbidden");
  }
});
