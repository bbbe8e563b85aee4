import { expect, it } from "vitest";
import { shapeDiff, valueShape } from "../../../skills/making/value_shape.ts";

it("The shape of a value has a line for each kind of member, of lists for all items at once", () => {
  expect(
    valueShape({ total: "42 €", items: [{ name: "Lamp" }, { name: "Mat", note: "" }], none: [], at: null }),
  ).toEqual(
    [
      "result.at: null",
      "result.items[].name: text",
      "result.items[].note: empty text",
      "result.none: nothing in it",
      "result.total: text with a number",
    ].toSorted(),
  );
});

it("Two shapes differ by the lines that only one of them has", () => {
  expect(shapeDiff(valueShape({ total: "42", a: 1 }), valueShape({ total: "?", a: 2 }))).toEqual([
    "- result.total: text with a number",
    "+ result.total: text",
  ]);
});

it("A value without end has a shape with one", () => {
  const deep: { inner?: unknown } = {};
  deep.inner = deep;
  expect(valueShape([deep, Array.from({ length: 100_000 }, (_, at) => ({ [at]: at }))]).length).toBeLessThanOrEqual(
    300,
  );
});
