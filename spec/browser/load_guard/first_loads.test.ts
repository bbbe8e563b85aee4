/** What a new tab asks for first is held to the rules of the tab that opened it, however it was opened. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Token } from "../../../security/tokens/token.ts";
import { Gate } from "../../harness/gate.ts";
import { Site } from "../../harness/site.ts";

let gate: Gate;
let site: Site;
let token: Token;
let granted: string;
let other: string;
let tab: string;

/** What opens the tab that never may show the other site: a script that runs when the button is pressed. */
const WAYS: readonly (readonly [string, string])[] = [
  ["its address", "window.open('OTHER/secret')"],
  ["an allowed page with a frame", "window.open('/framing')"],
  ["an allowed page with a frame, without an opener", "window.open('/framing', '_blank', 'noopener')"],
  ["a page that redirects", "window.open('/away', '_blank', 'noopener')"],
  [
    "a blank page that is written",
    `const w = window.open('about:blank'); w.document.write("<iframe src='OTHER/secret'></iframe>"); w.document.close()`,
  ],
  [
    "a blob",
    `window.open(window.URL.createObjectURL(new Blob(["<iframe src='OTHER/secret'></iframe>"], { type: "text/html" })))`,
  ],
  ["a link with Control held", "go('OTHER/secret', { ctrlKey: true })"],
  ["a link to a page with a frame, with Control held", "go('/framing', { ctrlKey: true })"],
  ["a link with Shift held", "go('/away', { shiftKey: true })"],
  ["a pop-up of a pop-up", "window.open('/opening')"],
];

beforeAll(async () => {
  gate = await Gate.open();
});

afterAll(async () => {
  await gate[Symbol.asyncDispose]();
});

beforeEach(async () => {
  site = await Site.serve({});
  const { port } = new URL(site.url);
  granted = `http://granted.localhost:${port}`;
  other = `http://other.localhost:${port}`;
  site.set("/secret", "<p>Secret");
  site.set("/framing", `<p>Framing</p><iframe src="${other}/secret"></iframe>`);
  site.set("/opening", "<p>Opening</p><script>window.open('/framing')</script>");
  site.set("/away", (_request, response) => response.writeHead(302, { location: `${other}/secret` }).end());
  token = gate.pair({ name: "bob", domains: ["granted.localhost"], perSecond: 1_000, privateGranted: true });
  tab = String((await gate.call(token, "newtab", { url: "about:blank" })).id);
});

afterEach(async () => {
  gate.tokens.revoke("bob");
  for (const session of gate.sessions.all) for (const each of session.tabs) await session.close(each);
  await site[Symbol.asyncDispose]();
});

describe("a tab that a page of a limited token opens asks for nothing of other hosts", () => {
  it.each(WAYS)("by %s", async (_way, script) => {
    const told = gate.denials.length;
    const run = script.replaceAll("OTHER", other);
    site.set(
      "/opener",
      `<script>function go(href, keys) {
        const link = Object.assign(document.createElement("a"), { href });
        link.dispatchEvent(new MouseEvent("click", keys));
      }</script><button onclick="${run.replaceAll('"', "&quot;")}">Go</button>`,
    );
    await gate.call(token, "goto", { url: `${granted}/opener` }, { tab });
    await gate.call(token, "click", { target: "text=Go" }, { tab });
    while (gate.denials.length === told) await new Promise((resolve) => setImmediate(resolve));
    expect(gate.denials.at(-1)).toMatchObject({ reason: "blocked_url" });
    for (const { id } of gate.sessions.all.flatMap((session) => session.tabs)) {
      const answer = await gate.call(token, "text", {}, { tab: id });
      expect(answer.text).not.toContain("Secret");
    }
    expect(site.requests).not.toContain("GET /secret");
  });
});
