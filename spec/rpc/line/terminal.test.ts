import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable, printableJson, wellFormedJson } from "../../../rpc/line/terminal.ts";

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\\", '"', "\ud800", "\udc00", "u", "d", "8", "0", "\r", "\n"),
    fc.string({ unit: "binary", maxLength: 1 }),
  ),
});

describe("Text for a terminal", () => {
  test("has no control characters but tab, newline and CR before it, and no lone surrogates", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = printable(text);
        expect(shown.replaceAll("\r\n", "\n")).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  test("stays as it is when there is nothing to escape", () => {
    expect(printable("é\t😀\n漢字\r\n")).toBe("é\t😀\n漢字\r\n");
  });

  test.each([
    ["a direction that is turned round", "pay\u202eevil\u202c", "payevil"],
    ["isolates and marks of direction", "\u2066a\u2069\u200f\u061c", "a"],
    ["what has no width", "a\u200bb\u2060c\ufeff", "abc"],
    ["other ends of lines", "one\u2028two\u2029", "one\\u{2028}two\\u{2029}"],
    ["letters in tags", "a\u{e0041}", "a"],
    ["joiners that join nothing", "pay\u200dpal \u200c\u200d", "paypal "],
  ])("shows %s", (_what, text, shown) => {
    expect(printable(text)).toBe(shown);
    expect(printableJson(text)).not.toBe(JSON.stringify(text));
    expect(JSON.parse(printableJson(text))).toBe(text);
  });

  test.each([
    ["Persian", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
    ["Hindi", "\u0915\u094d\u200d\u0937"],
    ["Malayalam", "\u0d05\u0d35\u0d28\u0d4d\u200d"],
    ["Arabic and Hebrew", "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd"],
    ["a family", "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"],
    ["a flag of two emoji", "\u{1f3f3}\ufe0f\u200d\u{1f308}"],
    ["somebody with a skin", "\u{1f469}\u{1f3fd}\u200d\u{1f4bb}"],
    ["England", "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"],
  ])("leaves %s as it is written", (_what, text) => {
    expect(printable(text)).toBe(text);
    expect(printableJson(text)).toBe(JSON.stringify(text));
  });

  test("shows a CR that ends no line", () => {
    expect(printable("safe\revil\r\r\n\r")).toBe("safe\\x0devil\\x0d\r\n\\x0d");
  });
});

describe("JSON on the wire", () => {
  test("means the same value, well-formed", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          anyText.filter((key) => key !== "__proto__" && key.isWellFormed()),
          anyText,
        ),
        (value) => {
          const expected = Object.fromEntries(Object.entries(value).map(([key, text]) => [key, text.toWellFormed()]));
          expect(JSON.parse(wellFormedJson(value))).toEqual(expected);
          expect(JSON.parse(printableJson(value))).toEqual(expected);
          expect(printableJson(value)).not.toMatch(/[\0-\x1f\x7f-\x9f]/);
        },
      ),
    );
  });
});
