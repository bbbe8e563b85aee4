import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { partOf, tidied, withTitle } from "./script.ts";

const fixture = readFileSync(new URL("fixtures/journal.example-2026-10-01.md", import.meta.url), "utf8");

test("takes an article that is a good part of the page, or long, and no teaser", () => {
  assert.equal(partOf("x".repeat(1_000), "x".repeat(300)), "article");
  assert.equal(partOf("x".repeat(100_000), "x".repeat(2_500)), "article");
  assert.equal(partOf("x".repeat(5_000), "x".repeat(300)), "page");
  assert.equal(partOf("", ""), "page");
});

test("tidies text and leaves code as it is", () => {
  const tidy = tidied(fixture);
  assert.ok(!tidy.startsWith("\n") && !tidy.endsWith("\n"));
  assert.ok(tidy.includes("Two rivers meet here.\n\nThe older one"), "one empty line between paragraphs");
  assert.ok(tidy.includes("  first()\n\n\n  second()   \n"), "empty lines and spaces in code");
  assert.ok(tidy.includes("A line that breaks  \nand goes on"), "a line break");
});

test("puts the title above a text that has no heading of the first level", () => {
  assert.equal(withTitle("Text", " Two\n rivers "), "# Two rivers\n\nText");
  assert.equal(withTitle("# Rivers\n\nText", "Two rivers"), "# Rivers\n\nText");
  assert.equal(withTitle("Text", ""), "Text");
  assert.equal(withTitle("```\n# no heading\n```", "Rivers"), "# Rivers\n\n```\n# no heading\n```");
});
