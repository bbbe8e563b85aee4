import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { isAllowed, isFile, normalized, parseRobots, parseSitemap, shownText } from "./script.ts";

const fixture = new URL("fixtures/site.example-2026-10-01.robots.txt", import.meta.url);
const text = readFileSync(fixture, "utf8");

function allowed(path: string, agent = "someone"): boolean {
  return isAllowed(parseRobots(text, agent), `https://site.example${path}`);
}

test("reads the group for everybody, its delay and the sitemaps", () => {
  const robots = parseRobots(text, "someone");
  assert.deepEqual([robots.rules.length, robots.delayMs, robots.sitemaps], [4, 500, ["https://site.example/map.xml"]]);
});

test("lets the longest rule decide", () => {
  assert.ok(!allowed("/private/a"));
  assert.ok(allowed("/private/open/a"));
  assert.ok(allowed("/privately"));
});

test("takes a star for anything and a dollar for the end", () => {
  assert.ok(!allowed("/a/b.cgi"));
  assert.ok(allowed("/a/b.cgi?x"));
  assert.ok(!allowed("/search?q=1&sort=up"));
  assert.ok(allowed("/search?q=1"));
  assert.ok(!isAllowed(parseRobots("User-agent: *\nDisallow: /a$"), "https://site.example/a"));
  assert.ok(isAllowed(parseRobots("User-agent: *\nDisallow: /a*b$"), "https://site.example/abc"));
});

test("follows the group of its own name, and no other then", () => {
  assert.ok(!allowed("/bots/", "browse"));
  assert.ok(allowed("/private/", "browse"));
  assert.ok(!allowed("/anything", "googlebot"));
  assert.ok(allowed("/robots.txt", "googlebot"));
});

test("is not slowed by a pattern of many stars", () => {
  const pattern = `/${"a*".repeat(2_000)}b$`;
  assert.ok(isAllowed(parseRobots(`User-agent: *\nDisallow: ${pattern}`), `https://site.example/${"a".repeat(5_000)}`));
});

test("reads what a page of plain text shows", () => {
  assert.equal(shownText('<html><body><pre style="x">a &amp; b\n</pre></body></html>'), "a & b\n");
  assert.equal(shownText("<html><body>Not found</body></html>"), "");
});

test("reads sitemaps, indexes of them, and lists of plain text", () => {
  const entry = (url: string) => `<url><loc> ${url} </loc></url>`;
  const urls = ["https://site.example/?a=1&amp;b=2", "https://site.example/b", "javascript:alert(1)"].map(entry);
  assert.deepEqual(parseSitemap(`<urlset>${urls.join("")}</urlset>`), {
    sitemaps: [],
    pages: ["https://site.example/?a=1&b=2", "https://site.example/b"],
  });
  const index = "<sitemapindex><sitemap><loc>https://site.example/1.xml</loc></sitemap></sitemapindex>";
  assert.deepEqual(parseSitemap(index), { sitemaps: ["https://site.example/1.xml"], pages: [] });
  assert.deepEqual(parseSitemap("<pre>https://site.example/a\nhttps://site.example/b</pre>").pages.length, 2);
  assert.deepEqual(parseSitemap("<loc>https://site.example/cut"), { sitemaps: [], pages: [] });
});

test("tells pages from files, and sees through fragments", () => {
  assert.ok(isFile("https://site.example/a.PDF?x=1"));
  assert.ok(!isFile("https://site.example/v1.2/notes"));
  assert.ok(!isFile("https://site.example/a.html"));
  assert.equal(normalized("/a#b", "https://site.example/"), "https://site.example/a");
  assert.equal(normalized("https://[", "https://site.example/"), undefined);
});
