import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printable, printableJson, wellFormedJson } from "../../rpc/terminal.ts";

const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\\", '"', "\ud800", "\udc00", "u", "d", "8", "0"),
    fc.string({ unit: "binary", maxLength: 1 }),
  ),
});

describe("Text for a terminal", () => {
  test("has no control characters but tab and newline, and no lone surrogates", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = printable(text);
        expect(shown).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });

  test("stays as it is when there is nothing to escape", () => {
    expect(printable("é\t😀\n漢字")).toBe("é\t😀\n漢字");
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
