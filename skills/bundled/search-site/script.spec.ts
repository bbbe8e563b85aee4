import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { buttonFor, findBox, type Node, resultsOf, saidOf } from "./script.ts";

const fixture = new URL("fixtures/lamps.example-2026-10-01.snapshot.json", import.meta.url);
const page: Node[] = JSON.parse(readFileSync(fixture, "utf8"));
const seen = { before: new Set(["https://lamps.example/sale"]), query: "lamp", page: "https://lamps.example/?s=lamp" };

function field(role: string, name: string, more: Partial<Node> = {}): Node {
  return { depth: 0, role, name, ref: `@${role}${name}`, ...more };
}

test("finds the box by its kind, its landmark, or its words", () => {
  const mail = field("textbox", "Your e-mail", { type: "email" });
  assert.equal(findBox([mail, field("searchbox", "")])?.role, "searchbox");
  const within = field("textbox", "", { depth: 1 });
  assert.equal(findBox([mail, field("search", ""), within]), within);
  assert.equal(findBox([mail, field("combobox", "", { placeholder: "Produkte suchen" })])?.role, "combobox");
  assert.equal(findBox([field("textbox", "Name"), mail]), undefined);
  assert.equal(findBox([field("searchbox", "", { states: { disabled: true } })]), undefined);
  assert.equal(findBox([field("searchbox", "", { hidden: "display" })]), undefined);
  assert.equal(findBox(page)?.ref, "@e5");
});

test("takes the button after the box, and none of another field", () => {
  const box = findBox(page);
  assert.equal(box && buttonFor(box, page)?.name, "Go");
  const [one, two] = [field("searchbox", ""), field("textbox", "City")];
  assert.equal(buttonFor(one, [one, two, field("button", "Subscribe")]), undefined);
});

test("lists what heads entries, and leaves out menus, margins, pages and filters", () => {
  assert.deepEqual(resultsOf(page, seen), [
    { title: "Desk lamp", url: "https://lamps.example/?p=1" },
    { title: "Floor lamp For tall rooms", url: "https://lamps.example/floor" },
    { title: "Oil lamp", url: "https://lamps.example/oil" },
    { title: "On lamplight", url: "https://lamps.example/essay" },
  ]);
});

test("takes new links alone where nothing looks like an entry", () => {
  const links = ["sale", "new"].map((path) => field("link", `Lamp ${path}`, { url: `https://lamps.example/${path}` }));
  assert.deepEqual(resultsOf(links, seen), [{ title: "Lamp new", url: "https://lamps.example/new" }]);
});

test("tells what the page says of their number, and not what a result says", () => {
  assert.equal(saidOf(page), "4 results for “lamp”");
  assert.equal(
    saidOf([field("link", "No results found: a bug"), field("status", "Nothing found for x")]),
    "Nothing found for x",
  );
  assert.equal(
    saidOf([field("paragraph", "", { text: "Your search did not match any pages." })]),
    "Your search did not match any pages.",
  );
  assert.equal(saidOf([field("paragraph", "", { text: "The results are in" })]), null);
});
