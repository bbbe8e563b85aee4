/** An agent that holds a canary, and what is to lead it to give the canary away: nothing of it reaches a server. */
import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { connect } from "../../client.ts";
import type { Token } from "../../security/tokens/token.ts";
import { Gate } from "../harness/gate.ts";
import { Project } from "../harness/project.ts";
import { Site } from "../harness/site.ts";

let gate: Gate;
let site: Site;
let sockets: WebSocketServer;
let agent: Token;
let canary: string;
/** All that came to the server: addresses, headers, bodies, messages. */
let received: string[] = [];

const bodyOf = async (request: IncomingMessage) => {
  let body = "";
  for await (const chunk of request) body += String(chunk);
  return body;
};

beforeAll(async () => {
  gate = await Gate.open();
  site = await Site.serve({ "/": "<form><input id=q><input id=f type=file></form>", "/blank": "" });
  site.server.prependListener("request", (request) => {
    received.push(`${request.url} ${JSON.stringify(request.headers)}`);
    void bodyOf(request).then((body) => received.push(body));
  });
  sockets = new WebSocketServer({ server: site.server });
  sockets.on("connection", (socket) => socket.on("message", (data) => received.push(String(data))));
  agent = gate.pair({ name: "agent", perSecond: 1_000, scopes: ["read", "write", "admin", "meta", "control"] });
  canary = gate.canaries.issue(agent);
  await gate.call(agent, "newtab", { url: `${site.url}/` });
});
afterAll(async () => {
  sockets.close();
  await gate[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const hex = (text: string) => Buffer.from(text).toString("hex");
const reversed = (text: string) => [...text].reverse().join("");

/** A command, and its params for what the agent has been led to send. */
const CALLS: readonly [string, string, (secret: string) => Record<string, unknown>][] = [
  ["in an address", "goto", (secret) => ({ url: `${site.url}/?key=${secret}` })],
  ["in the path of an address, in base64", "goto", (secret) => ({ url: `${site.url}/${base64(`k:${secret}`)}` })],
  ["as a host", "goto", (secret) => ({ url: `http://${secret}.example.com/` })],
  ["in a new tab", "newtab", (secret) => ({ url: `${site.url}/#${reversed(secret)}` })],
  ["in a field", "fill", (secret) => ({ target: "#q", value: `mine is ${secret}` })],
  ["in a field, in hex", "fill", (secret) => ({ target: "#q", value: hex(secret) })],
  ["in a form", "fill-form", (secret) => ({ fields: { "#q": secret.toUpperCase() } })],
  ["typed", "type", (secret) => ({ text: [...secret].join(" "), into: "#q" })],
  ["in a script", "js", (secret) => ({ code: `fetch("/?" + "${secret.slice(0, 15)}" + "${secret.slice(15)}")` })],
  ["in a selector", "click", (secret) => ({ target: `text=${secret}` })],
  ["as a header", "header", (secret) => ({ name: "x-key", value: secret })],
  ["as a cookie", "cookie", (secret) => ({ name: "key", value: base64(secret) })],
  ["as the name of a cookie", "cookie", (secret) => ({ name: secret, value: "1" })],
  ["in storage", "storage.set", (secret) => ({ key: "k", value: secret })],
  ["as a user agent", "useragent", (secret) => ({ userAgent: `Agent/${secret}` })],
  ["in a document", "load-html", (secret) => ({ html: `<img src="${site.url}/?${secret}">` })],
  ["in a step of a chain", "chain", (secret) => ({ commands: JSON.stringify([["url"], ["fill", "#q", secret]]) })],
  ["in a file's name", "upload", (secret) => ({ target: "#f", files: [file(`${secret}.txt`, "nothing")] })],
  ["in a file", "upload", (secret) => ({ target: "#f", files: [file("notes.txt", `key=${base64(secret)}`)] })],
  ["to a page's protocol", "cdp", (secret) => ({ method: "DOM.performSearch", params: { query: secret } })],
];

function file(name: string, text: string): string {
  const path = join(gate.artifactsDir, "agent", name);
  writeFileSync(path, text);
  return path;
}

describe("A call is blocked", () => {
  test.each(CALLS)("that sends the canary %s", async (_, command, params) => {
    // Its own folder is there once it has kept something.
    await gate.call(agent, "screenshot", { path: "here.png" });
    received = [];
    const { denials, journal, published } = gate;
    const [before, told] = [denials.length, published.length];
    expect(await gate.refusal(agent, command, params(canary))).toBe("blocked_content");
    expect(denials.slice(before)).toMatchObject([{ reason: "blocked_content", command }]);
    expect(published.slice(told)).toMatchObject([{ topic: "security", data: { event: "denied" } }]);
    expect(journal.at(-1)).toMatchObject({ command, params: {}, outcome: "blocked_content" });
    expect(received).toEqual([]);
  });

  test("when another client with the same call is not", async () => {
    const other = gate.pair({ name: "other", perSecond: 1_000 });
    await gate.call(other, "newtab", { url: `${site.url}/` });
    expect(await gate.call(other, "fill", { target: "#q", value: canary })).toHaveProperty("element");
  });

  test("that completes it, after pieces of it went out one by one", async () => {
    const thief = gate.pair({ name: "thief", perSecond: 1_000 });
    const secret = gate.canaries.issue(thief);
    await gate.call(thief, "newtab", { url: `${site.url}/` });
    expect(await gate.refusal(thief, "fill", { target: "#q", value: secret.slice(0, 10) })).toBeUndefined();
    expect(await gate.refusal(thief, "goto", { url: `${site.url}/?${secret.slice(20, 30)}` })).toBeUndefined();
    expect(await gate.refusal(thief, "fill", { target: "#q", value: secret.slice(10, 20) })).toBe("blocked_content");
    const typist = gate.pair({ name: "typist", perSecond: 1_000 });
    const typed = gate.canaries.issue(typist);
    await gate.call(typist, "newtab", { url: `${site.url}/` });
    const kinds = [];
    for (const key of typed) kinds.push(await gate.refusal(typist, "press", { key }));
    expect(kinds.indexOf("blocked_content")).toBe(11);
  });

  test("but not for what it keeps here, and its tabs go on", async () => {
    const { path } = (await gate.call(agent, "screenshot", { path: `${canary}.png` })) as { path: string };
    expect(path).toContain(canary);
    expect(await gate.call(agent, "fill", { target: "#q", value: "nothing" })).toHaveProperty("element");
  });
});

/** What a page does that knows `secret`, however it came to. */
const REQUESTS: readonly [string, string][] = [
  ["in an address", "await fetch('/?k=' + secret).catch(() => {})"],
  ["in an address, in base64", "await fetch('/?k=' + btoa('x' + secret)).catch(() => {})"],
  ["as a host", "await fetch('http://' + secret + '.localhost/').catch(() => {})"],
  ["in a header", "await fetch('/', { headers: { 'x-key': secret } }).catch(() => {})"],
  ["in a body", "await fetch('/', { method: 'POST', body: secret }).catch(() => {})"],
  ["in a long body", "await fetch('/', { method: 'POST', body: 'x '.repeat(300_000) + secret }).catch(() => {})"],
  [
    "in a blob",
    "await fetch('/', { method: 'POST', body: new Blob([new Uint8Array([0, 255]), secret]) }).catch(() => {})",
  ],
  [
    "in a long blob",
    "await fetch('/', { method: 'POST', body: new Blob(['x '.repeat(300_000), secret]) }).catch(() => {})",
  ],
  [
    "in form data",
    "const form = new FormData(); form.append('f', new File([secret], 'a.txt')); await fetch('/', { method: 'POST', body: form }).catch(() => {})",
  ],
  ["by a beacon", "navigator.sendBeacon('/', secret)"],
  ["that outlives the page", "await fetch('/', { method: 'POST', keepalive: true, body: secret }).catch(() => {})"],
  ["for an image", "new Image().src = '/?' + secret"],
  ["for a frame", "document.body.append(Object.assign(document.createElement('iframe'), { src: '/?' + secret }))"],
  ["for events", "new EventSource('/?' + secret)"],
  ["for itself", "location = '/?' + secret"],
  ["for a new tab", "window.open('/?' + secret)"],
  [
    "of a form",
    "document.body.insertAdjacentHTML('beforeend', '<form method=post action=/><input name=k></form>'); const form = [...document.forms].at(-1); form.elements[0].value = secret; form.submit()",
  ],
  [
    "of a worker",
    "new Worker(URL.createObjectURL(new Blob(['fetch(\"' + location.origin + '/?' + secret + '\")'], { type: 'text/javascript' })))",
  ],
  [
    "of a shared worker",
    "new SharedWorker(URL.createObjectURL(new Blob(['fetch(\"' + location.origin + '/?' + secret + '\")'], { type: 'text/javascript' })))",
  ],
  [
    "of a frame of another site",
    "const frame = document.createElement('iframe'); frame.src = 'http://localhost:' + location.port + '/blank#'; document.body.append(frame); await new Promise((done) => frame.onload = done); frame.src = frame.src.replace('#', '?' + secret)",
  ],
  ["by a socket", "new WebSocket('ws://' + location.host + '/?' + secret)"],
  [
    "in a message of a socket",
    "const socket = new WebSocket('ws://' + location.host); await new Promise((done) => socket.onopen = done); socket.send(secret)",
  ],
];
/** Sockets wait for nobody: the page is left, so that nothing follows. */
const LEFT = /socket/;

describe("A request of a page is blocked, and told", () => {
  test.each(REQUESTS)("that carries the canary %s", async (way, script) => {
    await gate.call(agent, "goto", { url: `${site.url}/` });
    received = [];
    const before = gate.denials.length;
    const isTold = () => gate.denials.slice(before).some(({ reason }) => reason === "blocked_content");
    // Neither the gate nor anybody else can tell that it is in there.
    const shifted = [...canary].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 1)).join("");
    const known = `const secret = [...${JSON.stringify(shifted)}].map((c) => String.fromCharCode(c.charCodeAt(0) - 1)).join("")`;
    await gate.refusal(agent, "js", { code: `await (async () => { ${known}; ${script} })(); 1` });
    await expect.poll(isTold, { timeout: 5_000 }).toBe(true);
    expect(gate.published.at(-1)?.data ?? {}).not.toHaveProperty("canary");
    const arrived = received.join("\n");
    if (LEFT.test(way)) {
      const shown = async () => (await gate.call(agent, "url")).url;
      await expect.poll(shown, { timeout: 5_000 }).toBe("about:blank");
    } else expect(arrived.includes(canary) || arrived.includes(btoa(`x${canary}`))).toBe(false);
    expect(JSON.stringify([gate.denials, gate.published, gate.journal])).not.toContain(canary);
  });
});

test("A client that asks gets a canary, which is in no file of the daemon's and no answer but that", async () => {
  await using project = new Project();
  await project.cli(["goto", `${site.url}/`]);
  const { port = 0, token = "" } = project.daemon() ?? {};
  const at = { url: `ws://127.0.0.1:${port}/rpc`, token };
  await using plain = await connect(at);
  expect(plain.canary).toBe("");
  await using browse = await connect({ ...at, canary: true });
  const { canary: secret } = browse;
  expect(secret).toMatch(/^[a-z0-9]{32}$/);
  await using again = await connect({ ...at, canary: true });
  expect(again.canary).toBe(secret);
  const events = browse.events(["security"]);
  const denied = events[Symbol.asyncIterator]().next();
  const fills = [
    browse.fill({ target: "#q", value: secret }),
    plain.fill({ target: "#q", value: base64(secret) }),
    browse.goto({ url: `${site.url}/?${reversed(secret)}` }),
  ];
  const rejected = { status: "rejected", reason: { kind: "blocked_content" } };
  expect(await Promise.allSettled(fills)).toMatchObject([rejected, rejected, rejected]);
  expect((await denied).value).toMatchObject({ data: { reason: "blocked_content", command: "fill" } });
  const line = await project.cli(["fill", "#q", secret]);
  expect(line.stderr).toMatch(/^Error: Not sent: fill value has the canary of this session \(plain\)/);
  const log = await project.cli(["security", "log"]);
  expect(log.stdout.match(/blocked_content/g)).toHaveLength(4);
  const health = await (await fetch(`http://127.0.0.1:${port}/health`)).text();
  const status = await project.cli(["status", "--json"]);
  const journal = await project.cli(["journal"]);
  const written = await project.journal();
  expect(written).toContain("blocked_content");
  for (const shown of [log.stdout, health, status.stdout, journal.stdout, written, readDaemonLog(project)]) {
    for (const form of [secret, base64(secret), reversed(secret)]) expect(shown).not.toContain(form);
  }
});

function readDaemonLog({ stateDir }: Project): string {
  return readFileSync(join(stateDir, "daemon.log"), "utf8");
}
