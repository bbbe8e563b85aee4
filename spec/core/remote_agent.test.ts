/** Every way in, tried from the tunnel's socket by an agent with what pairing gives by default. */
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { allCommands, findCommand } from "../../commands/command.ts";
import type { Gate } from "../harness/gate.ts";
import type { Site } from "../harness/site.ts";
import { BareClient } from "../rpc/wire/bare_client.ts";
import type { Wire } from "../rpc/wire/wire.ts";
import { METADATA, ROOT, WaysIn } from "./ways_in.ts";

let waysIn: WaysIn;
let gate: Gate;
let site: Site;
let tunnel: Wire;
let home: string;
let agentTotal = 0;

beforeAll(async () => {
  waysIn = await WaysIn.open();
  ({ gate, site, tunnel, home } = waysIn);
});

afterAll(() => waysIn[Symbol.asyncDispose]());

beforeEach(() => waysIn.forget());

interface Answer {
  result?: Record<string, unknown>;
  error?: { data: { kind: string } };
}

/** With what pairing gives by default. */
class Agent {
  readonly name: string;
  readonly secret: string;

  constructor(grant: object = {}) {
    const name = `agent-${++agentTotal}`;
    this.name = name;
    this.secret = gate.tokens.exchange(gate.tokens.issuePairingKey({ name, isTunnelled: true, ...grant }).key).secret;
  }

  async post(body: unknown): Promise<Response> {
    return await fetch(`http://127.0.0.1:${tunnel.server.port}/rpc`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.secret}` },
      body: JSON.stringify(body),
    });
  }

  async call(method: string, params: object = {}): Promise<Answer> {
    return (await (await this.post({ jsonrpc: "2.0", id: 1, method, params })).json()) as Answer;
  }

  async batch(...calls: [method: string, params?: object][]): Promise<Answer[]> {
    const items = calls.map(([method, params = {}], id) => ({ jsonrpc: "2.0", id, method, params }));
    return (await (await this.post(items)).json()) as Answer[];
  }
}

/** May load the site, which is on this machine. */
const insider = (grant: object = {}) => new Agent({ privateGranted: true, ...grant });

/** The kind of each answer: of its error, or "ok". */
const kindsOf = (answers: readonly Answer[]) => answers.map(({ error }) => error?.data.kind ?? "ok");

describe("A paired agent at the tunnel", () => {
  it("works in a tab of its own", async () => {
    const agent = insider();
    expect(await agent.call("newtab", { url: home })).toMatchObject({ result: { url: `${home}/`, status: 200 } });
    expect(await agent.call("click", { target: "text=Buy" })).toMatchObject({ result: { effect: {} } });
    expect(waysIn.recorded()).toEqual([]);
  });

  it("is refused files in every spelling, and the daemon's own", async () => {
    const state = join(gate.dir, ".browse/daemon.json");
    const files = [
      "file:///etc/passwd",
      "FILE:///etc/passwd",
      "file:/etc/passwd",
      "file://localhost/etc/passwd",
      " \tfile:///etc/passwd",
      "view-source:file:///etc/passwd",
      "/etc/passwd",
      "./.browse/daemon.json",
      `file://${state}`,
      state,
    ];
    const agent = new Agent();
    expect(kindsOf(await agent.batch(...files.map((url) => ["goto", { url }] as [string, object])))).toEqual(
      files.map(() => "blocked_url"),
    );
    const other = new Agent();
    expect(kindsOf(await other.batch(...files.map((url) => ["newtab", { url }] as [string, object])))).toEqual(
      files.map(() => "blocked_url"),
    );
    expect(waysIn.recorded()).toEqual([
      ...files.map(() => ["blocked_url", "goto"]),
      ...files.map(() => ["blocked_url", "newtab"]),
    ]);
  });

  it("names no file of this machine in any argument of any command", async () => {
    const attempts = allCommands().flatMap(({ name, paths = [] }) =>
      paths.map(({ param }) => [name, { [param]: "/tmp/a-file" }] as [string, object]),
    );
    expect(attempts.length).toBeGreaterThan(10);
    for (let start = 0; start < attempts.length; start += 10) {
      const kinds = kindsOf(await new Agent().batch(...attempts.slice(start, start + 10)));
      for (const kind of kinds) expect(["forbidden", "blocked_path", "invalid_params"]).toContain(kind);
    }
    const shot = new Agent();
    await shot.call("newtab");
    expect(kindsOf([await shot.call("screenshot", { path: "/tmp/a.png", base64: true })])).not.toEqual(["ok"]);
    expect(kindsOf([await shot.call("chain", { commands: "url --out /tmp/a-file" })])).toEqual(["blocked_path"]);
    expect(waysIn.recorded().length).toBeGreaterThan(0);
  });

  it("reaches no tab of others: by flag, by argument, in a batch, in a chain", async () => {
    const { id } = await gate.call(gate.root, "newtab", { url: home });
    const agent = new Agent();
    await agent.call("newtab", { url: home });
    expect(
      kindsOf(
        await agent.batch(["text", { tab: id }], ["url", { tab: id }], ["closetab", { id }], ["closetab", { tab: id }]),
      ),
    ).toEqual(Array(4).fill("not_owner"));
    const chained = kindsOf([
      await agent.call("chain", { commands: `text --tab ${id}` }),
      await agent.call("tab", { id }),
    ]);
    for (const kind of chained) expect(["not_owner", "forbidden", "invalid_params"]).toContain(kind);
    expect(waysIn.recorded().length).toBeGreaterThanOrEqual(5);
    expect(await gate.call(gate.root, "url", {}, { tab: String(id) })).toMatchObject({ url: `${home}/` });
  });

  it("is not led out of its domains by a redirect", async () => {
    site.set("/away", (_request, response) =>
      response.writeHead(302, { location: home.replace("home", "other") }).end(),
    );
    const agent = insider({ domains: ["home.example"] });
    expect(kindsOf([await agent.call("newtab", { url: `${home}/away` })])).toEqual(["blocked_url"]);
    expect(kindsOf([await agent.call("newtab", { url: home.replace("home", "other") })])).toEqual(["blocked_url"]);
    for (const [reason] of waysIn.recorded()) expect(reason).toBe("blocked_url");
    for (const message of waysIn.messages()) expect(message).toMatch(/outside the domains/);
    expect(waysIn.messages().length).toBeGreaterThanOrEqual(2);
  });

  it("does not come to the network that this machine is in", async () => {
    const agent = new Agent();
    const inside = ["127.0.0.1:1", "localhost:1", "10.0.0.1", "192.168.1.1", "[::1]:1", "0x7f.1", home];
    const attempts = inside.map((url) => ["newtab", { url }] as [string, object]);
    expect(kindsOf(await agent.batch(...attempts))).toEqual(inside.map(() => "blocked_url"));
  });

  it.each([
    ["by an address", undefined],
    ["by a redirect", "302"],
    ["by a refresh", `<meta http-equiv="refresh" content="0; url=http://${METADATA}/latest/">`],
    ["by a script", `<script>location = "http://[::ffff:${METADATA}]/latest/"</script>`],
    ["by a name that leads there", "name"],
  ])("does not come to the metadata service %s", async (_how, page) => {
    const target = `http://${METADATA}/latest/`;
    const way = { url: `${home}/meta` };
    if (page === undefined) way.url = target;
    else if (page === "name") way.url = home.replace("home", "rebound");
    else
      site.set(
        "/meta",
        page === "302" ? (_request, response) => response.writeHead(302, { location: target }).end() : page,
      );
    const agent = page === "name" ? new Agent() : insider();
    const kind = kindsOf([await agent.call("newtab", way)])[0];
    // A page may send itself there before it counts as shown, or after.
    if (!page?.startsWith("<")) expect(kind).toBe("blocked_url");
    while (waysIn.recorded().length === 0) await gate.call(gate.root, "wait", { what: "10" });
    expect(waysIn.recorded()[0]?.[0]).toBe("blocked_url");
    expect(waysIn.messages()[0]).toMatch(/metadata|169\.254/);
  });

  it("calls nothing that is not offered to remote agents, whatever its scopes", async () => {
    const offered = allCommands().filter(({ remote = false }) => remote !== false);
    expect(offered.length).toBeGreaterThan(20);
    const closed = allCommands().filter(({ remote = false }) => remote === false);
    for (let start = 0; start < closed.length; start += 10) {
      const some = closed.slice(start, start + 10).map(({ name }): [string] => [name]);
      const agent = new Agent({ scopes: ["read", "write", "admin", "control", "meta"] });
      expect(kindsOf(await agent.batch(...some))).toEqual(some.map(() => "forbidden"));
    }
    expect(waysIn.recorded()).toEqual(closed.map(({ name }) => ["forbidden", name]));
    const agent = new Agent();
    const argv = { argv: ["url"], cwd: "/", version: "1" };
    expect(kindsOf([await agent.call("cli.exec", argv)])).toEqual(["forbidden"]);
    expect(waysIn.recorded().at(-1)).toEqual(["forbidden", "cli.exec"]);
    const { result } = await agent.call("rpc.discover");
    const names = (result!.methods as { name: string }[]).map(({ name }) => name).filter((name) => findCommand(name));
    expect(names.toSorted()).toEqual(offered.map(({ name }) => name).toSorted());
  });

  it("is held to its rate in a burst of 1,000 calls, and in batches of 50", async () => {
    const agent = new Agent();
    await agent.call("newtab");
    const socket = new BareClient(new WebSocket(tunnel.url, { headers: { authorization: `Bearer ${agent.secret}` } }));
    await socket.opened();
    const started = performance.now();
    const burst = await Promise.all(Array.from({ length: 1_000 }, () => socket.call("url")));
    const batch = await agent.batch(...Array.from({ length: 50 }, () => ["url"] as [string]));
    const most = 10 + ((performance.now() - started) / 1_000) * 10;
    const passed = [...burst, ...batch].filter(({ error }) => error === undefined).length;
    expect(passed).toBeLessThanOrEqual(most);
    expect(passed).toBeGreaterThan(0);
    expect(waysIn.recorded()).toContainEqual(["rate_limited", "url"]);
    socket.socket.terminate();
  });

  it("has nothing left when it is revoked, or paired again with less", async () => {
    const revoked = new Agent();
    expect(kindsOf([await revoked.call("newtab")])).toEqual(["ok"]);
    gate.tokens.revoke(revoked.name);
    expect((await revoked.post({ jsonrpc: "2.0", id: 1, method: "url" })).status).toBe(401);
    const wide = new Agent();
    expect(kindsOf([await wide.call("newtab")])).toEqual(["ok"]);
    gate.tokens.issuePairingKey({ name: wide.name.toUpperCase(), scopes: ["read"] });
    expect((await wide.post({ jsonrpc: "2.0", id: 1, method: "url" })).status).toBe(401);
    expect(waysIn.recorded()).toEqual(Array(2).fill(["wrong_token", undefined]));
  });

  it("cannot use the root token there", async () => {
    const agent = Object.assign(new Agent(), { secret: ROOT });
    expect((await agent.post({ jsonrpc: "2.0", id: 1, method: "url" })).status).toBe(401);
    expect(waysIn.recorded()).toEqual([["root_token", undefined]]);
  });
});
