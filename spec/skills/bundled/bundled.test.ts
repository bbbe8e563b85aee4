/** The skills that ship, run by a real daemon against pages of a local server. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SkillStore } from "../../../skills/store/skill_store.ts";
import { SharedProject } from "../../harness/shared_project.ts";
import type { Site } from "../../harness/site.ts";
import { RIGHT_PASSWORD, serveLinked, serveSite } from "./pages.ts";

const BUNDLED = join(import.meta.dirname, "../../../skills/bundled");

let project: SharedProject;
let site: Site;

beforeAll(async () => {
  [project, site] = await Promise.all([SharedProject.open(), serveSite()]);
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function words(skill: string, args: Record<string, string>): string[] {
  return ["skill", "run", skill, ...Object.entries(args).flatMap(([name, value]) => ["--arg", `${name}=${value}`])];
}

async function run(skill: string, args: Record<string, string>): Promise<Record<string, unknown>> {
  return (await project.json(...words(skill, args))).value as Record<string, unknown>;
}

async function failure(skill: string, args: Record<string, string>): Promise<string> {
  const { kind, message } = await project.refusal(...words(skill, args));
  expect(kind).toBe("skill_failed");
  return message;
}

test("all of them are as a skill has to be, with the SDK of this version", async () => {
  const store = new SkillStore({ stateDir: project.stateDir, home: join(project.dir, "home") });
  const { skills, broken } = await store.list();
  expect(broken).toEqual([]);
  expect(skills.filter(({ tier }) => tier === "bundled").map(({ name, sdk }) => [name, sdk])).toEqual(
    ["crawl", "hackernews-frontpage", "login-form", "page-to-markdown", "search-site", "table-to-csv"].map((name) => [
      name,
      "current",
    ]),
  );
});

test("their parsers read their fixtures", async () => {
  const specs = readdirSync(BUNDLED).map((name) => join(BUNDLED, name, "script.spec.ts"));
  await promisify(execFile)(process.execPath, ["--test", ...specs]);
});

test("page-to-markdown gives the article under its title, as the page has it", async () => {
  const { title, part, markdown, url } = await run("page-to-markdown", { url: `${site.url}/article` });
  expect({ title, part, url }).toEqual({ title: "Two rivers", part: "article", url: `${site.url}/article` });
  expect(markdown).toMatch(/^# Two rivers\n\n/);
  expect(markdown).not.toMatch(/Ends here|Home|\^/);
  expect(await failure("page-to-markdown", { url: `${site.url}/nowhere` })).toContain("status 404");
});

test("table-to-csv gives one table, quoted, as a person sees it", async () => {
  const url = `${site.url}/tables`;
  expect(await run("table-to-csv", { url, table: "arrivals" })).toEqual({
    url,
    caption: "Arrivals",
    columns: ["Ship", "Cargo"],
    rows: 1,
    csv: 'Ship,Cargo\r\n"Ida, of Lundby","the ""best"" salt"\r\n',
  });
  expect((await run("table-to-csv", { url, table: "Tomorrow" })).csv).toMatch(/^Nora,(?:a b|"a\nb")\r\nNora,c\r\n$/);
  expect(await failure("table-to-csv", { url })).toContain("1: Arrivals; 2: below");
});

describe("search-site", () => {
  test("finds what a form finds, and leaves out the rest of the page", async () => {
    const lamps = ["Desk lamp", "Oil lamp"].map((title, index) => ({ title, url: `${site.url}/lamp/${index}` }));
    expect(await run("search-site", { url: `${site.url}/shop`, query: "lamp" })).toEqual({
      url: `${site.url}/find?q=lamp`,
      query: "lamp",
      box: "Find",
      results: lamps,
      said: "2 results for lamp",
    });
  });

  test("says what the page says where there is nothing", async () => {
    const none = await run("search-site", { url: `${site.url}/shop`, query: "boat" });
    expect(none).toMatchObject({ results: [], said: "0 results for boat" });
  });

  test("shows a box that a button hides, and waits for what a script fetches", async () => {
    const { results } = await run("search-site", { url: `${site.url}/scripted`, query: "brass" });
    expect(results).toEqual([{ title: "Lamp of brass", url: `${site.url}/lamp/9` }]);
  });

  test("says that it has seen no box", async () => {
    expect(await failure("search-site", { url: `${site.url}/plain`, query: "x" })).toContain("No search box was seen");
  });
});

describe("login-form", () => {
  const user = "ida";

  beforeAll(async () => {
    await project.run("goto", "about:blank");
  });

  test("is in when a way out is seen", async () => {
    const url = `${site.url}/login`;
    expect(await run("login-form", { url, user, password: RIGHT_PASSWORD })).toEqual({
      loggedIn: true,
      seen: ["A way to log out is on the page"],
      url: `${site.url}/home`,
    });
    expect(await run("login-form", { url: `${site.url}/home`, user, password: RIGHT_PASSWORD })).toMatchObject({
      loggedIn: true,
      seen: [expect.stringContaining("nothing was filled in")],
    });
  });

  test("is not while the form is seen, and keeps the password to itself", async () => {
    const password = "wrong-battery-staple";
    const { stdout, stderr } = await project.cli(words("login-form", { url: `${site.url}/login`, user, password }));
    expect(JSON.parse(stdout)).toMatchObject({
      loggedIn: false,
      seen: ["A password field is on the page", "The page shows an error"],
    });
    const log = readFileSync(join(project.stateDir, "daemon.log"), "utf8");
    for (const said of [stdout, stderr, log, await project.journal()]) expect(said).not.toContain(password);
  });

  test("gives no password to other forms", async () => {
    const before = site.requests.length;
    expect(await failure("login-form", { url: `${site.url}/sign-up`, user, password: "x1" })).toContain(
      "two passwords",
    );
    expect(await failure("login-form", { url: `${site.url}/get`, user, password: "x1" })).toContain(
      "part of an address",
    );
    expect(await failure("login-form", { url: `${site.url}/plain`, user, password: "x1" })).toContain("No login form");
    expect(site.requests.slice(before)).toEqual(["GET /sign-up", "GET /get", "GET /plain"]);
  });
});

describe("crawl", () => {
  const visited = (site: Site) => site.requests.filter((request) => !/robots|sitemap/.test(request));

  test("visits each page once, and none that robots.txt keeps away", async () => {
    await using linked = await serveLinked({ pages: 30, robots: "User-agent: *\nDisallow: /page/3\nAllow: /page/3$" });
    const found = await run("crawl", { url: linked.url, concurrency: "3" });
    // Its longer rule lets page 3 be visited, which alone links to pages 25 to 29.
    expect(found).toMatchObject({ robots: "respected", sitemaps: [], failed: [], left: 0, stopped: null });
    const pages = found.pages as { url: string; title: string; status: number }[];
    expect(pages).toHaveLength(30);
    expect(new Set(visited(linked)).size).toBe(30);
    expect(visited(linked)).toHaveLength(30);
    expect(pages.every(({ status, title }) => status === 200 && title.startsWith("Page "))).toBe(true);
  });

  test("stays out of what is disallowed, and says how much that is", async () => {
    await using linked = await serveLinked({ pages: 20, robots: "User-agent: *\nDisallow: /page/1" });
    const { pages, disallowed } = await run("crawl", { url: linked.url });
    // Pages 2 to 8 are linked from the first, 17 to 19 from page 2.
    expect([(pages as unknown[]).length, disallowed]).toEqual([8, 4]);
    expect(visited(linked).filter((request) => request.startsWith("GET /page/1"))).toEqual([]);
  });

  test("reads the sitemap, and ends where it is told to", async () => {
    await using linked = await serveLinked({
      pages: 1,
      sitemap: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>`,
    });
    const map = ["/a?x=1&amp;y=2", "/b", "/c"].map((path) => `<url><loc>${linked.url}${path}</loc></url>`).join("");
    linked.set("/sitemap.xml", (_, response) => {
      response.writeHead(200, { "content-type": "application/xml" });
      response.end(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${map}</urlset>`);
    });
    for (const path of ["/a", "/b", "/c"]) linked.set(path, `<title>${path}</title>`);
    const found = await run("crawl", { url: linked.url, max: "3", concurrency: "1" });
    expect(found).toMatchObject({ robots: "none", sitemaps: [`${linked.url}/sitemap.xml`], left: 1, stopped: "max" });
    expect((found.pages as { url: string }[]).map(({ url }) => url)).toEqual(
      ["/", "/a?x=1&y=2", "/b"].map((path) => `${linked.url}${path}`),
    );
  });

  test("visits nothing where robots.txt cannot be had", async () => {
    await using linked = await serveLinked({ pages: 3 });
    linked.set("/robots.txt", (_, response) => void response.writeHead(503).end());
    expect(await run("crawl", { url: linked.url })).toMatchObject({ robots: "unavailable", pages: [] });
    expect(linked.requests).toEqual(["GET /robots.txt"]);
  });
});
