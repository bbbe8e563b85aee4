import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { parseStories } from "./script.ts";

const base = "https://news.ycombinator.com/";
const fixture = new URL("fixtures/news.ycombinator.com-2026-10-01.html", import.meta.url);
const stories = parseStories(readFileSync(fixture, "utf8"), base);

test("reads every story of the page, in order", () => {
  assert.deepEqual(
    stories.map(({ rank }) => rank),
    Array.from({ length: 30 }, (_, index) => index + 1),
  );
});

test("reads a link with its entities, site, numbers and age", () => {
  assert.deepEqual(stories[25], {
    rank: 26,
    title: "Birds that navigate by starlight, part 3",
    url: "https://birds.example/25?a=1&b=2",
    site: "birds.example",
    points: 1327,
    author: "person25",
    age: "6 hours ago",
    comments: 1026,
    discussion: "https://news.ycombinator.com/item?id=4100925",
  });
  assert.equal(stories[7]?.title, "How maps lie <politely>");
});

test("leaves null what a post or a job ad does not have, and not what its menu says", () => {
  const [ask, job] = [stories[4], stories[13]];
  assert.deepEqual([ask?.site, ask?.url], [null, "https://news.ycombinator.com/item?id=4100148"]);
  assert.deepEqual(job, {
    rank: 14,
    title: "Lantern (YC W31) is hiring a firmware engineer",
    url: "https://lantern.example/13?a=1&b=2",
    site: "lantern.example",
    points: null,
    author: null,
    age: "14 hours ago",
    comments: null,
    discussion: null,
  });
});

test("counts no comments where the page invites to the first", () => {
  assert.equal(stories[7]?.comments, 0);
});

test("finds no stories in other pages, cut ones and broken ones", () => {
  assert.deepEqual(parseStories("<h1>Sorry, we're not able to serve your requests this quickly.</h1>", base), []);
  assert.deepEqual(parseStories('<tr class="athing"><td><span class="rank">1.', base), []);
  assert.deepEqual(parseStories('<tr class="athing', base), []);
});
