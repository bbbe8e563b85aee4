/** A tab loads by the rules of whoever it was opened for, whatever sends it elsewhere. */
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Token } from "../../../security/tokens/token.ts";
import { Gate, MAX_DOWNLOAD_BYTES } from "../../harness/gate.ts";
import { type Page, Site } from "../../harness/site.ts";

const to =
  (location: string): Page =>
  (_request, response) =>
    response.writeHead(302, { location }).end();

let gate: Gate;
let site: Site;
let token: Token;
/** The granted host, another one, and a public name that leads to this machine. */
let granted: string;
let other: string;
let rebound: string;
let tab: string;

beforeAll(async () => {
  gate = await Gate.open(["--host-resolver-rules=MAP *.example 127.0.0.1,MAP 169.254.* ~NOTFOUND"]);
});

afterAll(async () => {
  await gate[Symbol.asyncDispose]();
});

beforeEach(async () => {
  site = await Site.serve({ "/": "<title>Home</title><p>Home", "/blank": "" });
  const { port } = new URL(site.url);
  granted = `http://granted.localhost:${port}`;
  other = `http://other.localhost:${port}`;
  rebound = `http://rebound.example:${port}`;
  token = gate.pair({
    isTunnelled: true,
    name: "bob",
    domains: ["granted.localhost", "frames.localhost"],
    perSecond: 1_000,
    privateGranted: true,
  });
  tab = String((await gate.call(token, "newtab", { url: granted })).id);
});

afterEach(async () => {
  gate.tokens.revoke("bob");
  await site[Symbol.asyncDispose]();
});

/** What the journal has of addresses that were refused. */
function refused(): (string | undefined)[] {
  return gate.journal.filter(({ outcome }) => outcome === "blocked_url").map(({ refused: text }) => text);
}

async function url(): Promise<unknown> {
  return (await gate.call(token, "url", {}, { tab })).url;
}

describe("a token limited to one domain", () => {
  it("is refused another by name, by redirect, and by a chain of redirects", async () => {
    site.set("/away", to(`${other}/`));
    site.set("/twice", to(`${granted}/away`));
    expect(await gate.refusal(token, "goto", { url: `${other}/` }, { tab })).toBe("blocked_url");
    expect(await gate.refusal(token, "goto", { url: `${granted}/away` }, { tab })).toBe("blocked_url");
    expect(await gate.refusal(token, "newtab", { url: `${granted}/twice` })).toBe("blocked_url");
    expect(await url()).toBe(`${granted}/`);
    expect(site.requests.filter((line) => line === "GET /")).toHaveLength(1);
    expect(gate.denials.map(({ reason }) => reason)).toContain("blocked_url");
  });

  it.each([
    ["a link", '<a href="OTHER/">Go</a>'],
    ["a script", `<button onclick="location = 'OTHER/'">Go</button>`],
    ["a form", '<form action="OTHER/" method="post"><button>Go</button></form>'],
    ["a redirect behind a link", '<a href="/away">Go</a>'],
  ])("stays where it is when %s leads elsewhere, and says so", async (_how, html) => {
    site.set("/away", to(`${other}/`));
    site.set("/page", html.replace("OTHER", other));
    await gate.call(token, "goto", { url: `${granted}/page` }, { tab });
    const { effect } = await gate.call(token, "click", { target: "text=Go" }, { tab });
    expect(effect).toMatchObject({ refused: [`${other}/`] });
    expect(await url()).toBe(`${granted}/page`);
    expect(site.requests).not.toContain("POST /");
  });

  it.each([
    ["script", "<script>location = 'OTHER/'</script>"],
    ["form", "<form action='OTHER/' method='post'></form><script>document.forms[0].submit()</script>"],
  ])("is told at once that the page that it goes to leads itself elsewhere by a %s", async (_how, html) => {
    site.set("/leading", `<p>Leading</p>${html.replace("OTHER", other)}`);
    expect(await gate.refusal(token, "goto", { url: `${granted}/leading`, wait: "load" }, { tab })).toBe("blocked_url");
    expect((await gate.call(token, "text", {}, { tab })).text).toBe("Leading");
  });

  it("is not taken elsewhere by a refresh, and has no frames of elsewhere", async () => {
    site.set("/refresh", `<meta http-equiv="refresh" content="0; url=${other}/">`);
    const frames = [`${other}/frame`, "/inner", `${granted.replace("granted", "frames")}/inner`];
    site.set("/framed", `<title>Framed</title>${frames.map((src) => `<iframe src="${src}"></iframe>`).join("")}`);
    site.set("/inner", `<script>location = "${other}/inside"</script>`);
    const heard = gate.published.length;
    await gate.call(token, "goto", { url: `${granted}/refresh` }, { tab });
    await gate.call(token, "goto", { url: `${granted}/framed`, wait: "load" }, { tab });
    expect(await url()).toBe(`${granted}/framed`);
    expect(site.requests.filter((line) => /GET \/(frame|inside)$/.test(line))).toEqual([]);
    expect(gate.published.slice(heard).some(({ topic }) => topic === "security")).toBe(true);
    expect(refused().some((text) => text?.includes("outside the domains"))).toBe(true);
  });

  it("is held to it in a crashed tab that comes back, whoever brings it back", async () => {
    site.set("/moves", "<title>Stays</title>");
    await gate.call(token, "goto", { url: `${granted}/moves` }, { tab });
    const crashing = gate.sessions.findTab(tab);
    const crashed = once(crashing.events, "crashed");
    crashing.page.goto("chrome://crash").catch(() => undefined);
    await crashed;
    expect(await gate.refusal(token, "text", {}, { tab })).toBe("tab_gone");
    // By now it leads elsewhere, at once.
    site.set("/moves", to(`${other}/away`));
    expect(await gate.refusal(gate.root, "reload", {}, { tab })).toBe("blocked_url");
    expect(site.requests).not.toContain("GET /away");
  });

  it("holds the tabs that its pages open to the same rules, and owns them", async () => {
    site.set(
      "/opener",
      `<button onclick="window.open('${other}/popped')">Pop</button><a target=_blank rel=noopener href="/">Own</a>`,
    );
    await gate.call(token, "goto", { url: `${granted}/opener` }, { tab });
    await gate.call(token, "click", { target: "text=Pop" }, { tab });
    await gate.call(token, "click", { target: "text=Own" }, { tab });
    const { tabs } = (await gate.call(token, "tabs")) as { tabs: { id: string; url?: string }[] };
    for (const { id } of tabs) await gate.call(token, "text", {}, { tab: id }).catch(() => undefined);
    const shown = gate.sessions.all.flatMap((session) => session.tabs).map(({ page }) => page.url());
    expect(shown.filter((address) => address.startsWith(other))).toEqual([]);
    expect(tabs.filter(({ url: address }) => address === `${granted}/`)).not.toEqual([]);
  });

  it("is held to them in a tab that was shared with it, and the tab is free again when it is gone", async () => {
    const { id } = (await gate.call(gate.root, "newtab", { url: `${granted}/` })) as { id: string };
    const lent = gate.pair({ name: "bob", domains: ["granted.localhost"], share: [id], privateGranted: true });
    site.set("/link", `<a href="${other}/">Go</a>`);
    await gate.call(lent, "goto", { url: `${granted}/link` }, { tab: id });
    expect((await gate.call(lent, "click", { target: "text=Go" }, { tab: id })).effect).toHaveProperty("refused");
    gate.tokens.revoke("bob");
    await gate.call(gate.root, "goto", { url: `${other}/` }, { tab: id });
    expect((await gate.call(gate.root, "url", {}, { tab: id })).url).toBe(`${other}/`);
  });

  it("cannot read a tab that was shared with it while it shows something else", async () => {
    const { id } = (await gate.call(gate.root, "newtab", { url: `${other}/` })) as { id: string };
    const lent = gate.pair({ name: "bob", domains: ["granted.localhost"], share: [id], privateGranted: true });
    expect(await gate.refusal(lent, "text", {}, { tab: id })).toBe("blocked_url");
  });

  it("keeps no download that a frame of elsewhere, or a redirect, would give it", async () => {
    const file: Page = (_request, response) =>
      response.writeHead(200, { "content-disposition": "attachment; filename=file.txt" }).end("text");
    site.set("/file", file);
    site.set("/to-file", to(`${other}/file`));
    site.set("/page", '<a href="/file">Own</a> <a href="/to-file">Away</a> <a download href="/to-file">Straight</a>');
    await gate.call(token, "goto", { url: `${granted}/page` }, { tab });
    const kept = async (target: string) => {
      const { effect } = (await gate.call(token, "click", { target }, { tab })) as {
        effect: { downloads?: { path?: string; failure?: string }[] };
      };
      const [download] = effect.downloads ?? [];
      while (download && !download.path && !download.failure) await new Promise((resolve) => setImmediate(resolve));
      return download?.path !== undefined;
    };
    expect(await kept("text=Own")).toBe(true);
    expect(await kept("text=Away")).toBe(false);
    expect(await kept("text=Straight")).toBe(false);
  });

  it("works on a document that it gave itself, which is of no site", async () => {
    await gate.call(token, "load-html", { html: "<title>Draft</title><p>Draft</p>" }, { tab });
    expect((await gate.call(token, "title", {}, { tab })).title).toBe("Draft");
  });

  it("loads a granted page as it is, with parts from elsewhere", async () => {
    site.set("/page", `<title>Page</title><script src="${other}/part.js"></script>`);
    site.set("/part.js", "document.title = 'Made'");
    await gate.call(token, "goto", { url: `${granted}/page`, wait: "load" }, { tab });
    expect((await gate.call(token, "title", {}, { tab })).title).toBe("Made");
  });
});

describe("a remote agent without the private network", () => {
  it("is refused it by name, by redirect, and by a name that leads there", async () => {
    const remote = gate.pair({ name: "eve", isTunnelled: true, perSecond: 1_000 });
    const place = { via: "tunnel" } as const;
    expect(await gate.refusal(remote, "goto", { url: site.url }, place)).toBe("blocked_url");
    expect(await gate.refusal(remote, "goto", { url: `${rebound}/` }, place)).toBe("blocked_url");
    expect((await gate.call(remote, "url", {}, place)).url).toBe("about:blank");
    expect(await gate.call(remote, "text", {}, place)).not.toMatchObject({ text: expect.stringContaining("Home") });
  });
});

describe("what a page downloads", () => {
  const attachment: Page = (_request, response) =>
    response.writeHead(200, { "content-disposition": "attachment; filename=file.txt" }).end("text");
  /** More than the limit, and its end never comes. */
  const large: Page = (_request, response) => {
    response.writeHead(200, { "content-disposition": "attachment; filename=large.bin" });
    response.write(Buffer.alloc(MAX_DOWNLOAD_BYTES + 500_000));
  };
  interface Told {
    effect: { refused?: string[]; downloads?: { name: string; path?: string; failure?: string }[] };
  }
  /** Names in the artifacts. */
  const kept = () =>
    readdirSync(gate.dir, { recursive: true, encoding: "utf8" }).filter((name) => /file|large/.test(name));
  /** The next download of any tab, once it has ended. */
  const ended = () =>
    Promise.race(
      gate.sessions.all
        .flatMap((session) => session.tabs)
        .map(async ({ events }) => {
          const [record] = (await once(events, "download")) as [{ path?: string; failure?: string }];
          while (!record.path && !record.failure) await new Promise((resolve) => setImmediate(resolve));
          return record;
        }),
    );

  beforeEach(() => {
    site.set("/file", attachment);
    site.set("/large", large);
    site.set(
      "/links",
      `<a href="/file">Here</a> <a href="/file" target="_blank">Beside</a> <a href="/large">Large</a>
      <button onclick="open('about:blank').location = '/file'">Later</button>`,
    );
  });

  it("is not kept for those who come through the tunnel: by a link, a pop-up, an address; they are told so", async () => {
    const remote = gate.pair({ name: "eve", isTunnelled: true, privateGranted: true, perSecond: 1_000 });
    const before = kept();
    const call = async (name: string, params: object) =>
      (await gate.call(remote, name, { ...params }, { via: "tunnel" })) as unknown as Told;
    await call("newtab", { url: `${site.url}/links` });
    const failure = "Downloads of pages are not kept for remote agents";
    const told = { refused: [`${site.url}/file`], downloads: [{ name: "file.txt", failure }] };
    expect((await call("click", { target: "text=Here" })).effect).toMatchObject(told);
    expect((await call("click", { target: "text=Beside" })).effect).toMatchObject(told);
    expect((await call("goto", { url: `${site.url}/file` })).effect).toMatchObject(told);
    expect(gate.denials.at(-1)).toMatchObject({ reason: "forbidden" });
    const refusals = gate.denials.length;
    await call("click", { target: "text=Later" });
    await gate.untilDenied(refusals + 1);
    expect(kept()).toEqual(before);
    gate.tokens.revoke("eve");
  });

  it("is kept for the same agent on this machine, unless it has worked in the tab from elsewhere", async () => {
    const click = async (via: "local" | "tunnel") => {
      await gate.call(token, "goto", { url: `${granted}/links` }, { tab, via });
      const [ending] = await Promise.all([ended(), gate.call(token, "click", { target: "text=Here" }, { tab, via })]);
      return ending.path !== undefined;
    };
    expect(await click("local")).toBe(true);
    expect(await click("tunnel")).toBe(false);
    expect(await click("local")).toBe(false);
  });

  it("is cancelled over the limit, and nothing is left of it", async () => {
    const before = kept();
    await gate.call(token, "goto", { url: `${granted}/links` }, { tab });
    const [{ failure, path }] = await Promise.all([
      ended(),
      gate.call(token, "click", { target: "text=Large" }, { tab }),
    ]);
    expect([failure, path]).toEqual(["The file is over the limit of 1 MB", undefined]);
    expect(kept()).toEqual(before);
  });
});

describe("metadata services", () => {
  it.each([
    ["by redirect", to("http://169.254.169.254/latest/")],
    ["by a refresh", '<meta http-equiv="refresh" content="0; url=http://0xa9fea9fe/latest/">'],
    ["by a script", "<script>location = 'http://2852039166/latest/'</script>"],
  ])("are out of reach for everyone, %s", async (_how, page) => {
    site.set("/page", page);
    const told = gate.denials.length;
    const answer = await gate.refusal(gate.root, "goto", { url: `${site.url}/page`, wait: "load" });
    // A script and a refresh may come after the page was there.
    while (gate.denials.length === told) await gate.call(gate.root, "wait", { what: "10" });
    expect(gate.denials.at(-1)).toMatchObject({ reason: "blocked_url" });
    if (_how === "by redirect") expect(answer).toBe("blocked_url");
  });
});
