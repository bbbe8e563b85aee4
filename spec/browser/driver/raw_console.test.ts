import { expect, test } from "vitest";
import { lineOf, type Said, stackOf } from "../../../browser/driver/raw_console.ts";

const said = (...args: Said["args"]): Said => ({ type: "log", executionContextId: 1, args });

test.each<[string, Said["args"][number], string]>([
  ["text", { type: "string", value: "hi" }, "hi"],
  ["a number", { type: "number", value: 5 }, "5"],
  ["what JSON cannot write", { type: "number", unserializableValue: "-0", description: "-0" }, "-0"],
  ["nothing", { type: "undefined" }, "undefined"],
  ["null", { type: "object", subtype: "null", value: null }, "null"],
  [
    "an object",
    {
      type: "object",
      description: "Object",
      preview: {
        properties: [
          { name: "a", value: "1" },
          { name: "b", value: "x" },
        ],
      },
    },
    "{a: 1, b: x}",
  ],
  [
    "a list with holes",
    {
      type: "object",
      subtype: "array",
      description: "Array(6)",
      preview: {
        properties: [
          { name: "0", value: "a" },
          { name: "2", value: "b" },
          { name: "5", value: "c" },
        ],
      },
    },
    "[a, empty, b, empty x 2, c]",
  ],
  ["an element", { type: "object", subtype: "node", description: "div#main" }, "div#main"],
  ["an object of a class", { type: "object", description: "Map(2)" }, "Map(2)"],
])("%s is written as the driver would", (_, object, text) => {
  expect(lineOf(said(object)).text()).toBe(text);
});

test("a line is its arguments, with the place where it was said", () => {
  const stackTrace = {
    callFrames: [
      { functionName: "inner", url: "a.js", lineNumber: 4, columnNumber: 2 },
      { functionName: "", url: "a.js", lineNumber: 9, columnNumber: 0 },
    ],
  };
  const line = { ...said({ type: "string", value: "a" }, { type: "number", value: 1 }), stackTrace };
  expect(lineOf(line).text()).toBe("a 1");
  expect(lineOf(line).args().map(String)).toEqual(["a", "1"]);
  expect(lineOf(line).location()).toMatchObject({ url: "a.js", lineNumber: 4, columnNumber: 2 });
  expect(stackOf(line)).toBe("at inner (a.js:5:3)\nat (anonymous) (a.js:10:1)");
  expect(lineOf(said()).location().url).toBe("");
  expect(stackOf(said())).toBeUndefined();
});
