import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { csvOf, pickTable, tablesIn } from "./script.ts";

const fixture = new URL("fixtures/harbour.example-2026-10-01.snapshot.json", import.meta.url);
const tables = tablesIn(JSON.parse(readFileSync(fixture, "utf8")));

test("finds tables with their captions and headings, and none within others", () => {
  assert.deepEqual(tables, [
    { ref: "@e4", name: "Arrivals", heading: "Harbour of Lundby" },
    { ref: "@e20", name: "", heading: "Departures" },
    { ref: "@e30", name: "", heading: "Departures" },
  ]);
});

test("takes a table by number, by caption, and by heading", () => {
  assert.equal(pickTable(tables, "3").ref, "@e30");
  assert.equal(pickTable(tables, "arriv").ref, "@e4");
  assert.equal(pickTable(tables.slice(0, 2), "departures").ref, "@e20");
  assert.equal(pickTable(tables.slice(0, 1), undefined).ref, "@e4");
});

test("guesses no table", () => {
  assert.throws(() => pickTable(tables, undefined), /3 tables were seen; .*1: Arrivals; 2: below "Departures"/);
  assert.throws(() => pickTable(tables, "Departures"), /2 tables fit "Departures"; .* 2: .*; 3: /);
  assert.throws(() => pickTable(tables, "4"), /0 tables fit "4"/);
  assert.throws(() => pickTable(tables, "0"), /0 tables fit "0"/);
  assert.throws(() => pickTable([], undefined), /No table was seen/);
});

test("quotes what separates, and doubles quotes", () => {
  const lines = [
    ["Ship", "Cargo"],
    ["Ida, of Lundby", 'the "best"\nsalt'],
    [" kept ", ""],
  ];
  assert.equal(csvOf(lines), 'Ship,Cargo\r\n"Ida, of Lundby","the ""best""\nsalt"\r\n" kept ",\r\n');
  assert.equal(csvOf([["only"], [""]]), 'only\r\n""\r\n');
  assert.equal(csvOf([]), "");
});
