import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadsSomething } from "../../../commands/inspect/styles/_style_value.ts";

describe("a style value that loads something", () => {
  it("is known by its functions, in any case", () => {
    for (const name of ["url", "src", "image", "image-set", "-webkit-image-set", "expression"]) {
      expect(loadsSomething(`${name}(x)`)).toBe(true);
      expect(loadsSomething(`1px ${name.toUpperCase()}("x") red`)).toBe(true);
    }
    expect(loadsSomething("@import 'x'")).toBe(true);
  });

  it("is known however its letters are escaped", () => {
    const escaped = (letter: string) => {
      const hex = letter.charCodeAt(0).toString(16);
      return fc.oneof(
        fc.constantFrom(letter, letter.toUpperCase()),
        fc
          .tuple(fc.constantFrom(hex, hex.padStart(6, "0")), fc.constantFrom(" ", "\t", "\n", "\r\n"))
          .map(([code, end]) => `\\${code}${end}`),
        // Letters up to f would be read as hexadecimal digits.
        fc.constant(/[g-z]/.test(letter) ? `\\${letter}` : letter),
      );
    };
    const name = fc.tuple(...[..."url"].map(escaped)).map((letters) => letters.join(""));
    fc.assert(
      fc.property(name, fc.constantFrom("", "a ", "1px,"), (text, before) => loadsSomething(`${before}${text}(x)`)),
    );
  });
});

describe("any other style value", () => {
  it.each([
    "red",
    "2px solid rgb(1, 2, 3)",
    "linear-gradient(to right, red, blue)",
    "calc(100% - 2px)",
    "var(--url)",
    "my-url(x)",
    "curl(x)",
    "url",
    "image",
    "'\\201C'",
    "\\",
    "\\110000",
  ])("passes: %s", (value) => {
    expect(loadsSomething(value)).toBe(false);
  });
});
