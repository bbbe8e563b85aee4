import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Project } from "../../harness/project.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import { Site } from "../../harness/site.ts";

const APP = "fetch('/api/moved')";

let site: Site;
let project: Project;

beforeAll(async () => {
  site = await Site.serve({
    "/talks": "<!doctype html><title>Talks</title><script>console.log('first')</script>",
    "/loads": `<!doctype html><title>Loads</title><script src="/app.js"></script><img src="/missing.png"><img src="/cut.png">
      <script>fetch("/api/items?token=tok-secret-123", {headers: {authorization: "Bearer abc123def456ghi789"}})</script>`,
    "/app.js": (_request, response) =>
      response.writeHead(200, { "content-type": "text/javascript", "content-length": APP.length }).end(APP),
    "/api/items": (_request, response) =>
      response
        .writeHead(200, { "content-type": "application/json", "set-cookie": "session=0123456789abcdef0123" })
        .end("[1,2,3]"),
    "/api/moved": (_request, response) => response.writeHead(302, { location: "/api/items" }).end(),
    "/cut.png": (request) => request.socket.destroy(),
    "/": "<!doctype html><title>Here</title>",
  });
  project = await SharedProject.open();
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

interface Entry {
  id: number;
  text: string;
  level: string;
  url: string;
  status?: number;
  failure?: string;
  uncaught?: boolean;
  redirectedFrom?: number;
}

async function entries(...argv: string[]): Promise<Entry[]> {
  const answer = await project.json(...argv);
  return answer.entries as Entry[];
}

describe("network", () => {
  it("is of the page that is shown, by type, method and status", async () => {
    await project.run("newtab", `${site.url}/talks`);
    await project.run("goto", site.url);
    await project.run("js", "fetch('/missing.png', { method: 'POST' }).then(() => 1)");
    const shown = await project.run("network");
    expect(shown).toMatch(/\n\d+ POST 404 http:\S+\/missing\.png fetch/);
    expect(shown).not.toContain("/talks");
    expect(shown).toMatch(/\n… and \d+ of earlier pages: browse network --all$/);
    expect(await project.run("network", "--all")).toContain("/talks");
    for (const flags of [
      ["--type", "fetch,xhr"],
      ["--method", "post"],
      ["--status", "4xx"],
      ["--status", "404"],
    ]) {
      expect((await entries("network", ...flags)).map(({ url }) => new URL(url).pathname)).toEqual(["/missing.png"]);
    }
    expect(await project.refusal("network", "--status", "bad")).toMatchObject({ exitCode: 2 });
  });

  it("shows every request with what became of it", async () => {
    await project.run("newtab", `${site.url}/loads`);
    await project.run("wait", "--idle");
    const all = await entries("network", "--all");
    const by = (path: string) => all.find(({ url }) => new URL(url).pathname === path);
    expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => index + 1));
    expect(by("/loads")).toMatchObject({ method: "GET", status: 200, resourceType: "document" });
    expect(by("/app.js")).toMatchObject({ status: 200, bytes: APP.length });
    expect(by("/missing.png")).toMatchObject({ status: 404 });
    expect(by("/cut.png")).toMatchObject({ failure: expect.stringContaining("ERR_EMPTY_RESPONSE") });
    const moved = by("/api/moved")!;
    expect(moved.status).toBe(302);
    expect(all.find(({ redirectedFrom }) => redirectedFrom === moved.id)).toMatchObject({ status: 200 });
    const listed = await project.run("network");
    expect(listed).toMatch(/\n\d+ GET 404 http:\/\/127\.0\.0\.1:\d+\/missing\.png/);
    expect(listed).not.toContain("/app.js");
    expect(listed).toMatch(/\n… and 1 script: browse network --all$/);
    expect(await project.json("network")).toMatchObject({ static: { script: 1 } });
    expect(await project.run("network", "--type", "script")).toContain("/app.js");
  });

  it("and the console show the newest 50, and say how many there are before these", async () => {
    await project.run("newtab", `${site.url}/`);
    await project.run("js", "for (let n = 1; n <= 60; n++) console.log('n' + n)");
    await project.run("js", "for (let n = 1; n <= 60; n++) await fetch('/?' + n)");
    const said = (await project.run("console")).split("\n");
    expect(said).toHaveLength(51);
    expect(said[0]).toBe("… 10 before these: browse console --last 60");
    expect([said[1], said.at(-1)]).toEqual([expect.stringContaining("n11"), expect.stringContaining("n60")]);
    expect((await project.run("console", "--last", "60")).split("\n")).toHaveLength(60);
    const { entries: newest, before } = (await project.json("network", "--last", "2")) as {
      entries: Entry[];
      before: number;
    };
    expect(newest.map(({ url }) => new URL(url).search)).toEqual(["?59", "?60"]);
    expect(before).toBe(59);
  });

  it("can be narrowed to failures, and to a part of the address", async () => {
    await project.run("newtab", `${site.url}/loads`);
    await project.run("wait", "--idle");
    const failed = (await entries("network", "--failed")).map(({ url }) => new URL(url).pathname);
    expect(failed.sort()).toEqual(["/cut.png", "/missing.png"]);
    const api = (await entries("network", "--filter", "/api/")).map(({ url }) => new URL(url).pathname);
    expect(new Set(api)).toEqual(new Set(["/api/items", "/api/moved"]));
    expect(await project.run("network", "--filter", "nowhere")).toBe("No requests");
  });

  it("shows one request with its headers, secrets redacted", async () => {
    await project.run("newtab", `${site.url}/loads`);
    await project.run("wait", "--idle");
    const withToken = (await entries("network")).find(({ url }) => url.includes("token="))!;
    const shown = await project.run("network", String(withToken.id));
    expect(shown).toContain("< content-type: application/json");
    expect(shown).toMatch(/> authorization: .*\[redacted\]/i);
    for (const secret of ["tok-secret-123", "abc123def456", "0123456789abcdef"]) {
      expect(shown + JSON.stringify(await project.json("network", String(withToken.id)))).not.toContain(secret);
    }
    expect(await project.refusal("network", "99999")).toMatchObject({
      kind: "not_found",
      hint: "Run `browse network` for the ids",
    });
    expect(await project.refusal("network", "first")).toMatchObject({ kind: "invalid_params", exitCode: 2 });
  });

  it("asks for nothing twice", async () => {
    await project.run("newtab", `${site.url}/loads`);
    await project.run("wait", "--idle");
    const before = site.requests.length;
    await project.run("network", "1");
    await project.run("network");
    expect(site.requests.length).toBe(before);
  });

  it("goes on counting after --clear", async () => {
    await project.run("newtab", site.url);
    await project.run("wait", "--load");
    const { total } = await project.json("network", "--clear");
    expect(await project.run("network")).toBe("No requests");
    await project.run("reload");
    expect((await entries("network"))[0]).toMatchObject({ id: Number(total) + 1 });
  });

  it("answers to the name `requests`", async () => {
    await project.run("newtab", site.url);
    await expect.poll(() => project.run("network")).toMatch(/ B \d+ ms$/);
    expect(await project.run("requests")).toBe(await project.run("network"));
  });
});

describe("the buffers of two tabs", () => {
  it("are kept apart", async () => {
    await project.run("newtab", `${site.url}/talks`);
    await project.run("newtab", site.url);
    expect(await project.run("console")).toBe("The console is empty");
    expect((await entries("network")).every(({ url }) => !url.includes("/talks"))).toBe(true);
  });
});
