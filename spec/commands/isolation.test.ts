import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browse, connect } from "../../client.ts";
import type { Project } from "../harness/project.ts";
import { SharedProject } from "../harness/shared_project.ts";
import { Site } from "../harness/site.ts";

let site: Site;
let project: Project;
let first: Browse;
let second: Browse;
const held: ServerResponse[] = [];

beforeAll(async () => {
  site = await Site.serve({
    "/one": "<!doctype html><title>One</title><button onclick=\"this.textContent += '!'\">Mine</button>",
    "/two": "<!doctype html><title>Two</title><button onclick=\"this.textContent += '?'\">Theirs</button>",
    "/slow": (_request, response) => held.push(response),
    "/visits": (request, response) => {
      const visits = Number(/visits=(\d+)/.exec(request.headers.cookie ?? "")?.[1] ?? 0) + 1;
      response
        .writeHead(200, { "content-type": "text/html", "set-cookie": `visits=${visits}` })
        .end(`<p>${visits}</p>`);
    },
  });
  project = await SharedProject.open();
  await project.run("start");
  const { port, token } = project.daemon()!;
  const url = `ws://127.0.0.1:${port}/rpc`;
  first = await connect({ url, token });
  second = await connect({ url, token });
});

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Resolves once the held page has been asked for. */
async function heldRequest(): Promise<ServerResponse> {
  for (;;) {
    const response = held.pop();
    if (response) return response;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("two connections on two tabs at once", () => {
  it("never see each other's tab", async () => {
    const { id: one } = await first.newtab({ url: `${site.url}/one` });
    const { id: two } = await second.newtab({ url: `${site.url}/two` });
    const rounds = Array.from({ length: 20 }, async () => {
      const [mine, theirs, mineToo, theirsToo] = await Promise.all([
        first.title({}, { tab: one }),
        second.title({}, { tab: two }),
        first.snapshot({ interactive: true }, { tab: one }),
        second.snapshot({ interactive: true }, { tab: two }),
      ]);
      expect([mine.title, theirs.title]).toEqual(["One", "Two"]);
      expect(JSON.stringify(mineToo)).not.toContain("Theirs");
      expect(JSON.stringify(theirsToo)).not.toContain("Mine");
    });
    await Promise.all(rounds);
  });

  it("act each on their own, and get their own effects", async () => {
    const { id: one } = await first.newtab({ url: `${site.url}/one` });
    const { id: two } = await second.newtab({ url: `${site.url}/two` });
    const clicks = await Promise.all([
      ...Array.from({ length: 5 }, () => first.click({ target: "button" }, { tab: one })),
      ...Array.from({ length: 5 }, () => second.click({ target: "button" }, { tab: two })),
    ]);
    expect(clicks.every(({ effect }) => (effect.changed ?? 0) > 0 && effect.navigated === undefined)).toBe(true);
    expect((await first.text({ target: "button" }, { tab: one })).text).toBe("Mine!!!!!");
    expect((await second.text({ target: "button" }, { tab: two })).text).toBe("Theirs?????");
  });

  it("do not hold each other up: a slow page on one, a click on the other", async () => {
    const { id: one } = await first.newtab();
    const { id: two } = await second.newtab({ url: `${site.url}/two` });
    const loading = first.goto({ url: `${site.url}/slow` }, { tab: one });
    const response = await heldRequest();
    await second.click({ target: "button" }, { tab: two });
    expect((await second.text({ target: "button" }, { tab: two })).text).toBe("Theirs?");
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Slow</title>");
    expect(await loading).toMatchObject({ status: 200 });
  });
});

describe("one tab", () => {
  it("goes on while a `wait` on it waits", async () => {
    const { id: tab } = await first.newtab({ url: `${site.url}/one` });
    let isOver = false;
    const waiting = first.wait({ text: "Mine!!" }, { tab }).finally(() => {
      isOver = true;
    });
    await second.click({ target: "button" }, { tab });
    expect((await second.text({ target: "button" }, { tab })).text).toBe("Mine!");
    expect(isOver).toBe(false);
    await second.click({ target: "button" }, { tab });
    expect(await waiting).toMatchObject({ waitedMs: expect.any(Number) });
  });

  it("does one thing after the other", async () => {
    const { id: tab } = await first.newtab();
    const loading = first.goto({ url: `${site.url}/slow` }, { tab });
    const response = await heldRequest();
    const title = second.title({}, { tab });
    response.writeHead(200, { "content-type": "text/html" }).end("<title>Slow</title>");
    expect((await title).title).toBe("Slow");
    await loading;
  });

  it("is free again for others when a call on it is cancelled", async () => {
    const { id: tab } = await first.newtab({ url: `${site.url}/one` });
    const giveUp = new AbortController();
    const loading = first.goto({ url: `${site.url}/slow` }, { tab, signal: giveUp.signal });
    await heldRequest();
    giveUp.abort();
    await expect(loading).rejects.toMatchObject({ kind: "cancelled" });
    await second.goto({ url: `${site.url}/two` }, { tab });
    expect((await second.title({}, { tab })).title).toBe("Two");
  });

  it("that closes ends the calls on it", async () => {
    const { id: tab } = await first.newtab({ url: `${site.url}/one` });
    const waiting = first.wait({ text: "never there" }, { tab });
    const refused = expect(waiting).rejects.toMatchObject({ kind: "tab_gone" });
    await second.closetab({ id: tab });
    await refused;
    await expect(second.title({}, { tab })).rejects.toMatchObject({ kind: "tab_gone" });
  });
});

describe("two sessions", () => {
  it("have cookies, storage and tabs of their own", async () => {
    for (const session of ["ann", "bob"]) {
      await project.run("goto", `${site.url}/visits`, "--session", session);
      expect(await project.run("text", "--session", session)).toBe("1");
    }
    await project.run("reload", "--session=ann");
    expect(await project.run("text", "--session", "ann")).toBe("2");
    expect(await project.run("cookies", "--session", "ann")).toContain("visits=2");
    expect(await project.run("cookies", "--session", "bob")).toContain("visits=1");
    // After its name, `--session` means the storage.
    await project.run("--session", "ann", "storage", "set", "who", "ann");
    expect(await project.run("js", "localStorage.who ?? 'nobody'", "--session", "bob")).toBe("nobody");
    expect(await project.run("tabs", "--session", "bob")).toMatch(/^\* t\d+ \S+$/);
  });

  it("are chosen by a connection once, by BROWSE_SESSION, or by a call", async () => {
    const { port, token } = project.daemon()!;
    const third = await connect({ url: `ws://127.0.0.1:${port}/rpc`, token, session: "cleo" });
    await third.goto({ url: `${site.url}/one` });
    expect((await third.url()).url).toBe(`${site.url}/one`);
    await third.close();
    const { stdout } = await project.cli(["url"], { env: { BROWSE_SESSION: "cleo" } });
    expect(stdout).toBe(`${site.url}/one\n`);
    const flag = await project.cli(["url", "--session", "dora"], { env: { BROWSE_SESSION: "cleo" } });
    expect(flag.stdout).toBe("about:blank\n");
    expect((await first.url({}, { session: "cleo" })).url).toBe(`${site.url}/one`);
  });

  it("do not reach into each other's tabs by tab commands", async () => {
    await project.run("goto", `${site.url}/one`, "--session", "ann");
    const { tabs } = (await project.json("tabs", "--session", "ann")) as { tabs: { id: string }[] };
    const theirs = tabs[0]!.id;
    expect(await project.refusal("closetab", theirs, "--session", "bob")).toMatchObject({ kind: "tab_gone" });
    expect(await project.refusal("tab", theirs, "--session", "bob")).toMatchObject({ kind: "tab_gone" });
    expect(await project.title("--session", "ann")).toBe("One");
  });

  it("refuse a name that is none", async () => {
    expect(await project.refusal("url", "--session", "../escape")).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
    });
    expect(await project.refusal("url", "--session=")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });
});
