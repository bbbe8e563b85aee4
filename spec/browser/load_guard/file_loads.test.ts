/** What a page that came from a file may load: what lies around it, and nothing of anyone else's. */
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Gate } from "../../harness/gate.ts";
import { Site } from "../../harness/site.ts";

let gate: Gate;
/** Another folder in the temporary one, and one that no caller could name. */
let elsewhere: string;
let secret: string;

beforeAll(async () => {
  gate = await Gate.open();
  elsewhere = realpathSync(mkdtempSync(join(tmpdir(), "browse-elsewhere-")));
  secret = join(gate.dir, ".browse", "daemon.json");
  mkdirSync(join(gate.dir, ".browse"));
  mkdirSync(join(gate.dir, "folder"));
  for (const file of [
    secret,
    join(elsewhere, "other.html"),
    join(gate.dir, ".env"),
    join(gate.dir, "folder", "in.html"),
  ]) {
    writeFileSync(file, file === join(gate.dir, "folder", "in.html") ? "<p>Beside" : "<p>Secret");
  }
  linkSync(secret, join(gate.dir, "hard.html"));
  symlinkSync(secret, join(gate.dir, "soft.html"));
});

afterAll(async () => {
  await gate[Symbol.asyncDispose]();
  rmSync(elsewhere, { recursive: true, force: true });
});

const FRAMED = '<main><p>Page</p><iframe src="file:///etc/passwd"></iframe></main>';

function page(html: string): string {
  const path = join(gate.dir, "page.html");
  writeFileSync(path, html);
  return pathToFileURL(path).href;
}

const FORBIDDEN = () => [
  secret,
  join(elsewhere, "other.html"),
  join(gate.dir, ".env"),
  join(gate.dir, "hard.html"),
  join(gate.dir, "soft.html"),
  join(gate.dir, "folder/"),
  "/etc/passwd",
];

/** Until what the tab asked for was refused, and its new document, if there is any, is there. */
async function untilRefused(since: number, total = 1): Promise<void> {
  await gate.untilDenied(since + total);
}

async function texts(): Promise<string> {
  const tabs = gate.sessions.all.flatMap((session) => session.tabs);
  const all = await Promise.all(tabs.map(({ id }) => gate.call(gate.root, "text", {}, { tab: id })));
  return JSON.stringify(all);
}

describe("a page from a file", () => {
  it("shows in its frames what lies beside it, and neither secrets, nor folders, nor other folders' files", async () => {
    const told = gate.denials.length;
    const paths = [...FORBIDDEN(), "folder/in.html"];
    const html = paths.map((path, index) =>
      index % 2 ? `<iframe src="${path}"></iframe>` : `<object data="${path}"></object>`,
    );
    await gate.call(gate.root, "newtab", { url: page(html.join("")) });
    await untilRefused(told, FORBIDDEN().length);
    await gate.call(gate.root, "wait", { text: "Beside" });
    expect(await texts()).not.toMatch(/Secret|root:|Index of/);
  });

  it.each([
    ["a link", (path: string) => `<a href="${path}">Go</a>`],
    ["a link to a new tab", (path: string) => `<a href="${path}" target="_blank">Go</a>`],
    ["a script", (path: string) => `<button onclick="location = '${path}'">Go</button>`],
    ["a window", (path: string) => `<button onclick="window.open('${path}')">Go</button>`],
    [
      "a frame of a window",
      (path: string) =>
        `<button onclick="const w = window.open('about:blank'); w.document.write('<iframe src=${path}></iframe>')">Go</button>`,
    ],
  ])("leads to no secret by %s", async (_how, html) => {
    const { id } = (await gate.call(gate.root, "newtab", { url: page(html(secret)) })) as { id: string };
    const told = gate.denials.length;
    await gate.call(gate.root, "click", { target: "text=Go" }, { tab: id });
    await untilRefused(told);
    expect(await texts()).not.toContain("Secret");
  });

  it("is led to no secret by a refresh, nor by its history", async () => {
    const told = gate.denials.length;
    const url = page(`<p>Stays</p><meta http-equiv="refresh" content="0;url=${secret}">`);
    await gate.call(gate.root, "goto", { url }).catch(() => undefined);
    await untilRefused(told);
    expect(await texts()).not.toContain("Secret");
  });

  it("has its pictures, styles and scripts from its own folder", async () => {
    writeFileSync(join(gate.dir, "folder", "part.js"), "document.title = 'Made'");
    await gate.call(gate.root, "goto", { url: page('<script src="folder/part.js"></script>'), wait: "load" });
    expect((await gate.call(gate.root, "title")).title).toBe("Made");
  });
});

describe("a page of a server with a frame for a file", () => {
  it.each(["text", "markdown", "find"])("is read by %s as if the frame were empty", async (command) => {
    await using site = await Site.serve({ "/": FRAMED });
    await gate.call(gate.root, "goto", { url: site.url });
    const answer = await gate.call(gate.root, command, command === "find" ? { text: "Page" } : {});
    expect(JSON.stringify(answer)).toContain("Page");
  });

  it("has the frame told as one that nothing was loaded into", async () => {
    await using site = await Site.serve({ "/": FRAMED });
    await gate.call(gate.root, "goto", { url: site.url });
    const answer = await gate.call(gate.root, "snapshot");
    expect(JSON.stringify(answer)).toContain("Nothing was loaded into it");
  });
});

describe("files", () => {
  it("are opened by the user, and by agents only in the folders that they were given", async () => {
    const agent = gate.pair({ name: "bob", perSecond: 1_000 });
    expect(await gate.refusal(agent, "goto", { url: page("<p>Page") })).toBe("blocked_url");
    expect(await gate.refusal(agent, "goto", { url: "file:page.html" })).toBe("blocked_url");
    expect(await gate.refusal(gate.root, "goto", { url: "file:page.html" })).toBeUndefined();
    gate.tokens.revoke("bob");
  });

  it("are not opened by the name of a hard link", async () => {
    expect(await gate.refusal(gate.root, "goto", { url: "file:hard.html" })).toBe("blocked_url");
  });
});
