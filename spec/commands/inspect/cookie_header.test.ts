import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

let site: Site;
let project: Project;
/** Headers of the last request of each path. */
const seen = new Map<string, IncomingHttpHeaders>();

beforeAll(async () => {
  const pages = ["/", "/shop/cart", "/later", "/popup"].map((path) => [path, page(path)] as const);
  site = await Site.serve(Object.fromEntries(pages));
  project = await SharedProject.open();
});

function page(path: string) {
  return (request: import("node:http").IncomingMessage, response: import("node:http").ServerResponse) => {
    seen.set(path, request.headers);
    response.writeHead(200, { "content-type": "text/html", "x-echo": request.headers["x-team"] ?? "none" });
    response.end(`<!doctype html><title>${path}</title><p>${request.headers["x-team"] ?? ""}</p>
      <a href="/popup" target="_blank">Open</a>`);
  };
}

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** What the client and the daemon wrote down, wherever. */
async function written(): Promise<string> {
  const journal = await project.journal();
  return journal + readFileSync(join(project.stateDir, "daemon.log"), "utf8");
}

describe("cookie", () => {
  beforeEach(async () => {
    await project.run("goto", site.url);
  });

  it("is sent to the server and kept for its host", async () => {
    expect(await project.run("cookie", "theme=dark")).toBe('Set the cookie "theme" for 127.0.0.1');
    await project.run("reload");
    expect(seen.get("/")?.cookie).toBe("theme=dark");
    expect(await project.run("cookies")).toContain("127.0.0.1/ theme=dark");
  });

  it("has the attributes it is given", async () => {
    await project.run(..."cookie cart=7 --path /shop --max-age 3600 --http-only --same-site Strict".split(" "));
    const { cookies } = (await project.json("cookies")) as { cookies: { name: string; expires: number }[] };
    const cart = cookies.find(({ name }) => name === "cart")!;
    expect(cart).toMatchObject({
      value: "[redacted]",
      path: "/shop",
      httpOnly: true,
      secure: false,
      sameSite: "Strict",
    });
    expect(Math.abs(cart.expires - Date.now() / 1_000 - 3_600)).toBeLessThan(60);
    await project.run("reload");
    expect(seen.get("/")?.cookie).not.toContain("cart");
    await project.run("goto", `${site.url}/shop/cart`);
    expect(seen.get("/shop/cart")?.cookie).toContain("cart=7");
    expect(await project.run("js", "document.cookie")).not.toContain("cart");
  });

  it("takes a value with = and spaces, and an empty one", async () => {
    await project.run("cookie", "filter=a=b c");
    await project.run("cookie", "empty=");
    expect(await project.run("js", "document.cookie")).toContain("filter=a=b c");
    expect(await project.run("cookies")).toMatch(/ empty= /);
  });

  it("is for a host and its subdomains when one is named", async () => {
    await project.run("goto", "about:blank");
    expect(await project.json("cookie", "wide=1", "--domain", "shop.example")).toEqual({
      set: "wide",
      domain: "shop.example",
    });
    expect(await project.run("cookies", "--domain", "shop.example")).toContain(".shop.example/ wide=1");
    expect(await project.refusal("cookie", "lost=1")).toMatchObject({
      kind: "invalid_params",
      message: "Missing --domain: the current page has no host",
    });
  });

  it("is never echoed or journaled", async () => {
    const { stdout, stderr } = await project.cli(["cookie", "note=hunter2 in plain words", "--json"]);
    expect(JSON.parse(stdout)).toEqual({ set: "note", domain: "127.0.0.1" });
    for (const argv of [
      ["cookie", "hunter2"],
      ["cookie", "a=1", "hunter2"],
      ["cookie", "b=hunter2;c=1"],
    ]) {
      const answer = await project.cli(argv);
      expect(answer.exitCode).toBe(2);
      expect(answer.stdout + answer.stderr).not.toContain("hunter2");
    }
    expect(stdout + stderr + (await written())).not.toContain("hunter2");
  });

  it.each([
    [["cookie"], "Missing <name>"],
    [["cookie", "novalue"], "`cookie` takes one name=value"],
    [["cookie", "=value"], "`cookie` takes one name=value"],
    [["cookie", "a b=1"], "<name> is not a cookie's name"],
    [["cookie", "a=1;b=2"], "<value> must not have a semicolon or a line break"],
    [["cookie", "a=1", "--path", "shop"], '--path must begin with "/"'],
    [["cookie", "a=1", "--domain", "not a host"], "--domain is not a host"],
    [["cookie", "a=1", "--max-age", "0"], "--max-age must be at least 1, not 0"],
    [["cookie", "a=1", "--same-site", "Sometimes"], "--same-site takes one of Strict, Lax, None"],
    [["cookie", "__Host-a=1"], 'The browser rejected the cookie "__Host-a"'],
  ])("refuses %j", async (argv, message) => {
    expect(await project.refusal(...argv)).toMatchObject({
      kind: "invalid_params",
      exitCode: 2,
      message: expect.stringContaining(message),
    });
  });
});

describe("header", () => {
  const VALUE = "blue-whale-seven";

  beforeEach(async () => {
    await project.run("newtab", site.url);
    await project.run("header", `X-Team: ${VALUE}`);
  });

  it("goes with every later request of the session, in every tab of it", async () => {
    await project.run("goto", `${site.url}/later`);
    expect(seen.get("/later")?.["x-team"]).toBe(VALUE);
    await project.run("click", "a");
    expect(seen.get("/popup")?.["x-team"]).toBe(VALUE);
    await project.run("newtab", `${site.url}/shop/cart`);
    expect(seen.get("/shop/cart")?.["x-team"]).toBe(VALUE);
    await project.run("--session", "other", "goto", `${site.url}/later`);
    expect(seen.get("/later")).not.toHaveProperty("x-team");
  });

  it("stays when the session's context is rebuilt", async () => {
    await project.run("viewport", "900x600", "--scale", "2");
    await project.run("goto", `${site.url}/later`);
    expect(seen.get("/later")?.["x-team"]).toBe(VALUE);
    const { entries } = (await project.json("network", "--filter", "/later")) as { entries: { id: number }[] };
    expect(await project.run("network", String(entries.at(-1)!.id))).toContain("> x-team: [redacted]");
  });

  it("can be replaced in any case, joined by others, and removed", async () => {
    expect(await project.run("header", "x-team: green")).toBe("Sent with every request: x-team");
    expect(await project.json("header", "Accept-Language", ":", "pt")).toEqual({
      names: ["x-team", "Accept-Language"],
    });
    await project.run("goto", `${site.url}/later`);
    expect(seen.get("/later")).toMatchObject({ "x-team": "green", "accept-language": "pt" });
    expect(await project.run("header")).toBe("Sent with every request: x-team, Accept-Language");
    await project.run("header", "ACCEPT-LANGUAGE", "--remove");
    expect(await project.run("header", "X-Team", "--remove")).toBe("No headers are set");
    await project.run("goto", `${site.url}/later`);
    expect(seen.get("/later")).not.toHaveProperty("x-team");
  });

  it("is shown nowhere: not in answers, requests, what servers repeat, archives, the journal or the log", async () => {
    await project.run("goto", `${site.url}/later`);
    const { entries } = (await project.json("network", "--filter", "/later")) as { entries: { id: number }[] };
    const shown = await project.run("network", String(entries[0]!.id));
    expect(shown).toContain("> x-team: [redacted]");
    expect(shown).toContain("< x-echo: [redacted]");
    expect(shown).toContain("<p>[redacted]</p>");
    await project.run("network", "--har", "headers.har", "--force");
    const archive = readFileSync(join(project.dir, "headers.har"), "utf8");
    expect(archive).toContain("x-team");
    const everything = [
      shown,
      archive,
      await project.run("header"),
      JSON.stringify(await project.json("header", `X-Team: ${VALUE}`)),
      await written(),
    ].join("\n");
    expect(everything).not.toContain(VALUE);
  });

  it.each([
    [["header", "no colon here"], "`header` takes one name: value"],
    [["header", ": value"], "`header` takes one name: value"],
    [["header", "X-Team"], "`header` takes a value, or --remove"],
    [["header", "X-Team: a", "--remove"], "`header` takes a value, or --remove"],
    [["header", "--remove"], "Missing <name>"],
    [["header", "X Team: a"], "<name> is not a header's name"],
    [["header", "X-Team: a\r\nX-Other: b"], "<value> must be one line of plain characters"],
    [["header", "Host: other.example"], "<name> cannot be Host: the browser sets it from the address"],
    [["header", "cookie: a=1"], "<name> cannot be cookie: use `browse cookie`"],
    [["header", "User-Agent: me"], "<name> cannot be User-Agent: use `browse useragent`"],
  ])("refuses %j", async (argv, message) => {
    expect(await project.refusal(...argv)).toMatchObject({ kind: "invalid_params", exitCode: 2, message });
  });

  it("does not show the value in a refusal", async () => {
    for (const line of [`${VALUE} ${VALUE}`, `X Team: ${VALUE}`, `X-Team: ${VALUE}\nmore`]) {
      const answer = await project.cli(["header", line]);
      expect(answer.exitCode).toBe(2);
      expect(answer.stdout + answer.stderr).not.toContain(VALUE);
    }
  });
});
