/** Jobs that go on after a daemon was killed, and a skill that is held to a host which is not ours to call. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { untilEnded } from "../../harness/is_running.ts";
import { Project } from "../../harness/project.ts";
import { Site } from "../../harness/site.ts";
import { serveLinked } from "./pages.ts";

const PAGES = 30;
const FIXTURE = "skills/bundled/hackernews-frontpage/fixtures/news.ycombinator.com-2026-10-01.html";

interface Row {
  key: string;
  ok: boolean;
  value: { pages: { title: string }[] };
}

function rowsOf(path: string): Row[] {
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Row);
}

test("does every page once when its daemon is killed in the middle, and it is resumed", async () => {
  await using site = await serveLinked({ pages: PAGES, robots: "User-agent: *\nDisallow: /page/7$" });
  await using project = new Project();
  const reached = Promise.withResolvers<void>();
  // Not before the daemon is gone does it answer.
  site.set("/page/15", () => reached.resolve());
  const jobs = Array.from({ length: PAGES }, (_, page) => ({
    key: `page ${page}`,
    url: page === 0 ? site.url : `${site.url}/page/${page}`,
    max: 1,
  }));
  writeFileSync(join(project.dir, "jobs.jsonl"), jobs.map((job) => `${JSON.stringify(job)}\n`).join(""));
  await project.run("start");
  const run = project.cli(["skill", "run", "crawl", "--each", "jobs.jsonl", "--concurrency", "3"]);
  const lost = expect(run).rejects.toThrow("The daemon went");
  await reached.promise;
  const { pid } = project.daemon()!;
  process.kill(pid, "SIGKILL");
  await lost;
  await untilEnded([pid]);

  const artifacts = join(project.stateDir, "artifacts");
  const [name = ""] = readdirSync(artifacts).filter((file) => file.startsWith("crawl-"));
  const results = join(artifacts, name);
  const before = rowsOf(results);
  expect(before.length).toBeGreaterThan(0);
  expect(before.map(({ key }) => key)).not.toContain("page 15");
  site.set("/page/15", "<title>Page 15</title>");
  const asked = site.requests.length;

  const summary = await project.json("skill", "run", "crawl", "--each", "jobs.jsonl", "--resume", results);
  expect(summary).toMatchObject({ done: PAGES, failed: 0, left: 0, skipped: before.length, results });
  const rows = rowsOf(results);
  expect(new Set(rows.map(({ key }) => key)).size).toBe(PAGES);
  expect(rows).toHaveLength(PAGES);
  for (const { key, value } of rows) {
    expect(value.pages.map(({ title }) => title)).toEqual(key === "page 7" ? [] : [key.replace("page", "Page")]);
  }
  const again = site.requests.slice(asked).filter((request) => request !== "GET /robots.txt");
  expect(again).toHaveLength(PAGES - before.length - (before.some(({ key }) => key === "page 7") ? 0 : 1));
}, 90_000);

test("hackernews-frontpage gives the thirty stories of the page, and calls no other host", async () => {
  const page = readFileSync(FIXTURE, "utf8");
  await using proxy = await Site.serve({ "/": page, "/newest": "<h1>Sorry</h1>" });
  await using project = new Project({ BROWSE_PROXY: proxy.url });
  const run = ["skill", "run", "hackernews-frontpage", "--arg"];
  const { value } = await project.json(...run, "url=http://news.ycombinator.com/");
  expect(value).toHaveLength(30);
  expect(value).toMatchObject({ 0: { rank: 1, points: 2, comments: 1 }, 13: { author: null, points: null } });
  expect((await project.refusal(...run, "url=http://news.ycombinator.com/newest")).message).toContain("No stories");
  expect((await project.refusal(...run, "url=http://other.example/")).message).toContain("other.example");
  expect(proxy.requests).toEqual(["GET /", "GET /newest"]);
});
