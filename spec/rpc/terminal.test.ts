import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable, printableJson, wellFormedJson } from "../../rpc/terminal.ts";

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
