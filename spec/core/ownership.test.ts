/** An agent with tabs of its own, in the session where the user's tabs are. */
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Token } from "../../security/tokens/token.ts";
import { Gate } from "../harness/gate.ts";
import { Site } from "../harness/site.ts";

let gate: Gate;
let site: Site;
/** The user's tab, which shows something private. */
let users: string;
let bob: Token;
let bobs: string;

beforeAll(async () => {
  gate = await Gate.open();
  site = await Site.serve({
    "/": "<title>Home</title><button>Press</button>",
    "/private": "<title>Private</title><button onclick=\"document.title = 'Pressed'\">Send</button>",
    "/slow": (_request, response) => void response.writeHead(200, { "content-type": "text/html" }).write("<p>Slow"),
  });
  users = String((await gate.call(gate.root, "newtab", { url: `${site.url}/private` })).id);
});

beforeEach(async () => {
  gate.tokens.revoke("bob");
  bob = gate.pair({ name: "bob", perSecond: 1_000 });
  bobs = String((await gate.call(bob, "newtab", { url: `${site.url}/` })).id);
});

afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function userTitle(): Promise<unknown> {
  return (await gate.call(gate.root, "title", {}, { tab: users })).title;
}

/** All that is in a zip, by its central directory (APPNOTE 4.3.12). */
function zipText(zip: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = zip.indexOf("PK\x01\x02", 0, "latin1"); at >= 0; at = zip.indexOf("PK\x01\x02", at + 46, "latin1")) {
    const [method, size, local] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(start, start + size);
    parts.push(method === 0 ? content : inflateRawSync(content));
  }
  return Buffer.concat(parts).toString("latin1");
}

describe("another's tab", () => {
  it("is refused wherever a call names it, and nothing happens to it", async () => {
    const send = `[["title"],["click","text=Send","--tab","${users}"]]`;
    const calls: [string, Record<string, unknown>, { tab?: string }?][] = [
      ["text", {}, { tab: users }],
      ["click", { target: "text=Send" }, { tab: users }],
      ["tab", { id: users }],
      ["closetab", { id: users }],
      ["closetab", {}, { tab: users }],
      ["chain", { commands: send }],
      ["chain", { commands: `title | closetab ${users}` }],
      ["chain", { commands: `title | --tab ${users} text` }],
      ["batch", { commands: send }],
      ["newtab", {}, { tab: users }],
      ["tabs", {}, { tab: users }],
    ];
    for (const [name, params, place = {}] of calls) {
      const told = gate.denials.length;
      expect([name, params, await gate.refusal(bob, name, params, place)]).toEqual([name, params, "not_owner"]);
      expect(gate.denials[told]).toMatchObject({ reason: "not_owner" });
    }
    expect(await userTitle()).toBe("Private");
  });

  it("is listed for the user with the agent's name", async () => {
    const { tabs } = (await gate.call(gate.root, "tabs")) as { tabs: { id: string; agent?: string }[] };
    expect(tabs.find(({ id }) => id === bobs)?.agent).toBe("bob");
    expect(tabs.find(({ id }) => id === users)).not.toHaveProperty("agent");
  });

  it("is listed by its id alone", async () => {
    const { tabs } = (await gate.call(bob, "tabs")) as { tabs: { id: string; url?: string; current: boolean }[] };
    expect(tabs.find(({ id }) => id === users)).toEqual({ id: users, current: false });
    expect(tabs.find(({ id }) => id === bobs)).toEqual({ id: bobs, url: `${site.url}/`, title: "Home", current: true });
    expect(JSON.stringify(await gate.call(bob, "sessions"))).not.toContain("private");
  });

  it("is not what a call without a tab means, nor one of each, nor what a ref leads to", async () => {
    await gate.call(gate.root, "tab", { id: users });
    const snapshot = (await gate.call(gate.root, "snapshot", { interactive: true }, { tab: users })) as object;
    expect(JSON.stringify(snapshot)).toContain("Send");
    expect((await gate.call(bob, "title")).title).toBe("Home");
    // The user's button has the ref @e1, of which bob's tab knows nothing.
    expect(await gate.refusal(bob, "click", { target: "@e1" })).toBe("unknown_ref");
    const { tabs } = (await gate.call(bob, "tab-each", { command: ["title"] })) as { tabs: { tab: string }[] };
    expect(tabs.map(({ tab }) => tab)).toEqual([bobs]);
    expect((await gate.call(gate.root, "url")).url).toBe(`${site.url}/private`);
    expect(await userTitle()).toBe("Private");
  });

  it("is never made current by closing the last of one's own", async () => {
    const { left, ...answer } = await gate.call(bob, "closetab");
    expect(answer).toEqual({ closed: bobs });
    expect(left).toContain(users);
    expect((await gate.call(bob, "url")).url).toBe("about:blank");
  });

  it("that is shared shows what has happened since, on the hosts that the agent may see", async () => {
    const elsewhere = site.url.replace("127.0.0.1", "localhost");
    const said = (what: string) => gate.call(gate.root, "js", { code: `console.log("said ${what}")` }, { tab: id });
    const { id } = (await gate.call(gate.root, "newtab", { url: `${elsewhere}/private?early` })) as { id: string };
    await gate.call(gate.root, "goto", { url: `${site.url}/?before` }, { tab: id });
    await said("before");
    const lent = gate.pair({ name: "ann", share: [id], domains: ["127.0.0.1"], perSecond: 1_000 });
    const anywhere = gate.pair({ name: "zoe", share: [id], perSecond: 1_000 });
    await gate.call(gate.root, "wait", { what: "5" }, { tab: id });
    await gate.call(gate.root, "goto", { url: `${elsewhere}/private?away` }, { tab: id });
    await gate.call(gate.root, "goto", { url: `${site.url}/?since` }, { tab: id });
    await gate.call(gate.root, "js", { code: "alert('since')" }, { tab: id });
    const told = async (token: Token) => {
      const answers = await Promise.all(
        ["network", "console", "dialog"].map(async (name) => {
          return await gate.call(token, name, name === "dialog" ? {} : { all: true }, { tab: id });
        }),
      );
      return JSON.stringify(answers);
    };
    const all = await told(gate.root);
    for (const what of ["early", "?before", "said before", "away", "?since"]) expect(all).toContain(what);
    const seen = await told(lent);
    expect(seen).toContain("?since");
    expect(seen).not.toMatch(/early|before|away|localhost/);
    expect(await told(anywhere)).toMatch(/away.*\?since.*"message":"since"/);
    expect(await told(anywhere)).not.toMatch(/early|before/);
    expect(await gate.refusal(lent, "network", { id: 1 }, { tab: id })).toBe("not_found");
    expect(await gate.refusal(lent, "network", { clear: true }, { tab: id })).toBe("not_owner");
  });

  it("has no film that an agent could end, of a shared tab or of one that has closed", async () => {
    const { id } = (await gate.call(gate.root, "newtab", { url: `${site.url}/private` })) as { id: string };
    await gate.call(gate.root, "record.start", {}, { tab: id });
    const lent = gate.pair({ name: "ann", share: [id], perSecond: 1_000 });
    expect(await gate.refusal(lent, "record.stop", {}, { tab: id })).toBe("not_owner");
    await gate.call(gate.root, "closetab", { id });
    await gate.call(lent, "newtab", { url: `${site.url}/` });
    expect(await gate.refusal(lent, "record.stop", {})).toBe("not_found");
    expect(await gate.refusal(gate.root, "record.stop", {})).toBeUndefined();
  });

  it("is open to whoever it was shared with, and other tabs stay closed", async () => {
    const { id } = (await gate.call(gate.root, "newtab", { url: `${site.url}/` })) as { id: string };
    const lent = gate.pair({ name: "amy", share: [id] });
    expect((await gate.call(lent, "title", {}, { tab: id })).title).toBe("Home");
    expect((await gate.call(lent, "tab", { id })).id).toBe(id);
    expect((await gate.call(lent, "title")).title).toBe("Home");
    expect(await gate.refusal(lent, "title", {}, { tab: users })).toBe("not_owner");
    expect(await gate.refusal(lent, "title", {}, { tab: bobs })).toBe("not_owner");
  });
});

describe("closetab --others", () => {
  it("closes what its caller has opened, not what was lent to it or is an agent's", async () => {
    const { id: theirs } = await gate.call(gate.root, "newtab", { url: `${site.url}/` });
    const lent = gate.pair({ name: "eve", share: [String(theirs)], perSecond: 1_000 });
    const { id: first } = await gate.call(lent, "newtab", { url: `${site.url}/` });
    const { id: second } = await gate.call(lent, "newtab", { url: `${site.url}/` });
    expect(await gate.call(lent, "closetab", { id: second, others: true })).toMatchObject({ others: [first] });
    const { others } = await gate.call(gate.root, "closetab", { id: users, others: true });
    expect(others).toContain(theirs);
    expect(others).not.toContain(second);
    expect((await gate.call(lent, "title", {}, { tab: String(second) })).title).toBe("Home");
  });
});

describe("a session", () => {
  it("is its own when it made it, and another's is refused", async () => {
    await gate.call(bob, "newtab", { url: `${site.url}/` }, { session: "bobs" });
    expect(await gate.refusal(bob, "emulate", { colorScheme: "dark" }, { session: "bobs" })).toBeUndefined();
    expect(await gate.refusal(bob, "emulate", { colorScheme: "dark" })).toBe("not_owner");
    const amy = gate.pair({ name: "amy" });
    expect(await gate.refusal(amy, "title", {}, { session: "bob/bobs" })).toBe("not_owner");
    expect(await gate.refusal(bob, "chain", { commands: "title --session amy/work" })).toBe("not_owner");
  });

  it("carries the name of the agent that made it: nobody works in it who does not say so", async () => {
    await gate.call(bob, "newtab", { url: `${site.url}/` }, { session: "work" });
    await gate.call(gate.root, "newtab", { url: `${site.url}/private` }, { session: "work" });
    const names = async (token: Token) =>
      ((await gate.call(token, "sessions")) as { sessions: { name: string }[] }).sessions.map(({ name }) => name);
    expect(await names(gate.root)).toEqual(expect.arrayContaining(["work", "bob/work"]));
    expect(await names(bob)).toContain("bob/work");
    expect(await names(bob)).not.toContain("work");
    expect((await gate.call(bob, "title", {}, { session: "work" })).title).toBe("Home");
    expect((await gate.call(bob, "title", {}, { session: "bob/work" })).title).toBe("Home");
    expect((await gate.call(gate.root, "title", {}, { session: "work" })).title).toBe("Private");
    expect(await gate.refusal(gate.root, "title", {}, { session: "amy/work" })).toBe("not_found");
    const batch = { commands: '[["newtab","--session","work"],["url","--session","work"]]' };
    const { steps } = (await gate.call(bob, "batch", batch)) as { steps: { result: { url: string } }[] };
    expect(steps.map(({ result }) => result.url)).toEqual(["about:blank", "about:blank"]);
  });

  it("of an agent has the user's tabs for the user alone, who is told whose it is; no trace goes on", async () => {
    await gate.call(bob, "newtab", { url: `${site.url}/` }, { session: "visit" });
    await gate.call(bob, "trace.start", {}, { session: "visit" });
    await gate.call(bob, "goto", { url: `${site.url}/?own` }, { session: "visit" });
    const visit = { session: "bob/visit" };
    const logged: string[] = [];
    const log = (_level: string, message: string) => void logged.push(message);
    const { id } = await gate.call(gate.root, "newtab", { url: `${site.url}/private?visited` }, { ...visit, log });
    expect(logged).toEqual([expect.stringContaining('"bob/visit" is the agent "bob"')]);
    const { tabs } = (await gate.call(bob, "tabs", {}, { session: "visit" })) as {
      tabs: { id: string; url?: string }[];
    };
    expect(tabs.find((tab) => tab.id === id)).toEqual({ id, current: false });
    expect(await gate.refusal(bob, "text", {}, { tab: String(id) })).toBe("not_owner");
    for (const [name, params] of [
      ["emulate", { colorScheme: "dark" }],
      ["dialog-policy", { policy: "dismiss" }],
      ["trace.stop", {}],
      ["trace.start", {}],
    ] as const) {
      expect([name, await gate.refusal(bob, name, params, { session: "visit" })]).toEqual([name, "not_owner"]);
    }
    await gate.call(gate.root, "closetab", { id }, visit);
    const { path, ended } = await gate.call(bob, "trace.stop", {}, { session: "visit" });
    expect(ended).toBe("when somebody else opened a tab in its session");
    const traced = zipText(readFileSync(String(path)));
    expect(traced).toContain("?own");
    expect(traced).not.toContain("visited");
  });

  it("of everyone has the user's cookies for every agent in it", async () => {
    await gate.call(gate.root, "cookie", { name: "login", value: "yes" }, { tab: users });
    await gate.call(bob, "goto", { url: `${site.url}/private` });
    const [cookie] = await gate.sessions.find("default")!.context.cookies(site.url);
    expect(cookie?.name).toBe("login");
    expect(await gate.refusal(bob, "cookies")).toBe("forbidden");
  });
});

describe("a token that is revoked", () => {
  it("takes its running call along, and a chain with the steps that are left", async () => {
    const waiting = gate.refusal(bob, "wait", { what: "30000" });
    const chain = gate.refusal(bob, "chain", { commands: "wait 30000 | goto about:blank" });
    while (gate.published.filter(({ data }) => data.command === "wait" && data.phase === "started").length < 2) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    gate.tokens.revoke("bob");
    expect(await waiting).toBe("unauthorized");
    expect(await chain).toBe("unauthorized");
    expect(await gate.refusal(bob, "title")).toBe("unauthorized");
    expect((await gate.call(gate.root, "url", {}, { tab: bobs })).url).toBe(`${site.url}/`);
  });

  it("leaves nothing of its tabs to the next of its name", async () => {
    gate.tokens.revoke("bob");
    const next = gate.pair({ name: "bob" });
    expect(await gate.refusal(next, "title", {}, { tab: bobs })).toBe("not_owner");
  });
});
