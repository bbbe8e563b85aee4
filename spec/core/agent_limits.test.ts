/** What an agent with tabs of its own may not do by having many, or by having little. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Token } from "../../security/tokens/token.ts";
import { Gate } from "../harness/gate.ts";
import { Site } from "../harness/site.ts";
import { startWire } from "../rpc/wire/wire.ts";

let gate: Gate;
let site: Site;

beforeAll(async () => {
  gate = await Gate.open();
  site = await Site.serve({
    "/": `<button onclick="document.body.append('Balance 1200')">Show</button>`,
    "/opens": `<button onclick="window.open('/')">Open</button>`,
  });
});
afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const paired = (name: string, more: object = {}): Token => gate.pair({ name, perSecond: 1_000, ...more });

test("An agent has 100 tabs, of which those count that it or its pages have opened, and no more", async () => {
  const agent = paired("many");
  const tab = String((await gate.call(agent, "newtab")).id);
  // One after the other: a slow machine opens no hundred of them in the time that one call has.
  for (let opened = 1; opened < 99; opened++) await gate.call(agent, "newtab");
  await gate.call(agent, "goto", { url: `${site.url}/opens` }, { tab });
  expect(await gate.call(agent, "click", { target: "button" }, { tab })).toMatchObject({ effect: { opened: [{}] } });
  expect(await gate.refusal(agent, "newtab")).toBe("forbidden");
  expect(await gate.call(gate.root, "newtab")).toHaveProperty("id");
  await gate.call(agent, "closetab", { id: tab });
  expect(await gate.call(agent, "newtab")).toHaveProperty("id");
}, 120_000);

test("A token that may not read is told how much an action has changed, and not what", async () => {
  const writer = paired("writer", { scopes: ["write"] });
  await gate.call(writer, "newtab", { url: `${site.url}/` });
  const acted = await gate.call(writer, "click", { target: "role=button" });
  expect(acted).toMatchObject({ effect: { changed: 1 } });
  expect(JSON.stringify(acted)).not.toContain("Balance");
  const reader = paired("reader", { scopes: ["read", "write"] });
  await gate.call(reader, "newtab", { url: `${site.url}/` });
  expect(JSON.stringify(await gate.call(reader, "click", { target: "role=button" }))).toContain("Balance");
});

test("An agent with tabs of its own neither lists, shows, saves nor removes a state of the user, in whatever session", async () => {
  const agent = paired("keeper", { scopes: ["read", "write", "control"] });
  const asked = async (action: string, session: string) =>
    await gate.refusal(agent, `state.${action}`, action === "list" ? {} : { name: "bank" }, { session });
  await gate.call(agent, "newtab", {}, { session: "mine" });
  for (const session of ["mine", "new"]) {
    for (const action of ["list", "show", "save", "rm"]) expect(await asked(action, session)).toBe("not_owner");
  }
});

test("A tab can be led away from a loaded document whose scripts went where its agent may not", async () => {
  const agent = paired("limited", { domains: ["127.0.0.1"] });
  await gate.call(agent, "newtab", { url: `${site.url}/` });
  const html = `<p>Draft</p><script>location = "${site.url.replace("127.0.0.1", "localhost")}/"</script>`;
  expect(await gate.refusal(agent, "load-html", { html })).toBe("blocked_url");
  expect(await gate.call(agent, "goto", { url: `${site.url}/` })).toMatchObject({ status: 200 });
});

test("A token with a rate follows events 100 times, whatever its connections, and another goes on", async () => {
  await using wire = await startWire();
  const { secret } = wire.tokens.exchange(wire.tokens.issuePairingKey({ name: "eager", perSecond: 1_000 }).key);
  const [one, other] = [await wire.connect({ secret }), await wire.connect({ secret })];
  const follow = async (client = one) => await client.call("events.subscribe", { topics: ["console"] });
  const first = await follow();
  for (let times = 2; times <= 100; times++) await follow(times % 2 === 0 ? one : other);
  expect(await follow(other)).toMatchObject({ error: { data: { kind: "rate_limited" } } });
  await one.call("events.unsubscribe", { subscription: first.result?.subscription });
  expect(await follow(other)).toHaveProperty("result");
});
