/** Text of pages as agents get it, and what happens when it comes back. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Token } from "../../../security/tokens/token.ts";
import { Gate } from "../../harness/gate.ts";
import { Site } from "../../harness/site.ts";

let gate: Gate;
let site: Site;
let agent: Token;
const TEXT = "The lamp is made of brass, and stands on a table of oak in the hall. ".repeat(20);
const MARK = /\^[a-z0-9]{4}\^/g;

beforeAll(async () => {
  gate = await Gate.open();
  site = await Site.serve({ "/": `<p>${TEXT}</p><h2>Short</h2><input id=q>` });
  agent = gate.pair({ name: "agent", perSecond: 1_000, scopes: ["read", "write", "admin", "meta"] });
  for (const token of [agent, gate.root]) await gate.call(token, "newtab", { url: `${site.url}/` });
});
afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
beforeEach(() => {
  gate.denials.length = 0;
  gate.published.length = 0;
});

const textFor = async (token: Token, params = {}) => String((await gate.call(token, "text", params)).text);

test("The text of a page is marked for an agent, with the same mark each time and in each of its sessions", async () => {
  const text = await textFor(agent);
  const markdown = String((await gate.call(agent, "markdown")).markdown);
  await gate.call(agent, "newtab", { url: `${site.url}/` }, { session: "other" });
  const elsewhere = String((await gate.call(agent, "text", {}, { session: "other" })).text);
  const marks = [text, markdown, elsewhere].flatMap((each) => each.match(MARK) ?? []);
  expect(marks.length).toBeGreaterThanOrEqual(18);
  expect(new Set(marks).size).toBe(1);
  expect(await textFor(agent, { target: "h2" })).toBe("Short");
});

test("It is not for the user, and the page has none of it", async () => {
  expect(await textFor(gate.root)).not.toMatch(MARK);
  const { html } = await gate.call(agent, "html");
  expect(html).not.toMatch(MARK);
});

test.each<[string, (text: string) => Record<string, unknown>]>([
  ["fill", (text) => ({ target: "#q", value: text })],
  ["type", (text) => ({ text, into: "#q" })],
  ["fill-form", (text) => ({ fields: { "#q": text } })],
  ["goto", (text) => ({ url: `${site.url}/?${encodeURIComponent(text)}` })],
  ["js", (text) => ({ code: `void ${JSON.stringify(Buffer.from(text).toString("base64"))}` })],
])("Marked text that comes back by %s is told as evidence, and sent as it was given", async (command, params) => {
  const text = await textFor(agent);
  const warnings: string[] = [];
  const log = (level: string, message: string) => void (level === "warning" && warnings.push(message));
  const given = params(text);
  await gate.call(agent, command, given, { log });
  expect(warnings).toMatchObject([expect.stringMatching(/has the mark of text that this agent read from a page/)]);
  expect(gate.denials).toMatchObject([{ reason: "marker", command }]);
  const told = gate.published.filter(({ topic }) => topic === "security");
  expect(told).toMatchObject([{ data: { event: "found", command, layer: "marker", score: 0.8 } }]);
  if (command !== "fill") return;
  expect(await gate.call(agent, "value", { target: "#q" })).toMatchObject({ value: text.replaceAll("\n", "") });
});

test("A chain that sends it is told of once, by the step that does", async () => {
  const text = await textFor(agent);
  await gate.call(agent, "chain", { commands: JSON.stringify([["url"], ["fill", "#q", text]]) });
  expect(gate.denials).toMatchObject([{ reason: "marker", command: "fill" }]);
});

test("Other text is told of nobody, nor is that of another agent's mark", async () => {
  const other = gate.pair({ name: "other", perSecond: 1_000 });
  await gate.call(other, "newtab", { url: `${site.url}/` });
  await gate.call(agent, "fill", { target: "#q", value: await textFor(other) });
  await gate.call(agent, "fill", { target: "#q", value: TEXT });
  await gate.call(gate.root, "fill", { target: "#q", value: await textFor(agent) });
  expect(gate.denials).toEqual([]);
});
