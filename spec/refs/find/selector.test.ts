import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BrowseError } from "../../../errors.ts";
import { parseSelector } from "../../../refs/find/selector.ts";

const escaped = (text: string) => text.replace(/["\\]/g, "\\$&");

describe("a selector", () => {
  test("in quotes is taken as it is, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (text) => {
        const exact = { text, how: "exact" };
        expect(parseSelector(`role=button[name="${escaped(text)}"]`)).toEqual({
          by: "role",
          value: "button",
          name: exact,
        });
        expect(parseSelector(`text="${escaped(text)}"`)).toEqual({ by: "text", value: text, match: exact });
        expect(parseSelector(`testid="${escaped(text)}"`)).toEqual({ by: "testid", value: text });
      }),
    );
  });

  test("of any text is parsed or refused as invalid, nothing else", () => {
    const form = fc.constantFrom(
      "",
      "role=",
      "role=button",
      "role=button[name=",
      "text=",
      "text=/",
      "label='",
      "testid=",
    );
    fc.assert(
      fc.property(form, fc.string({ unit: "binary" }), (start, rest) => {
        try {
          expect(parseSelector(start + rest).value).not.toBe("");
        } catch (error) {
          expect(error).toBeInstanceOf(BrowseError);
          expect((error as BrowseError).kind).toBe("invalid_params");
        }
      }),
    );
  });

  test("is CSS when no form is named", () => {
    for (const css of ["a", "#x > .y", "[name='q']", "button:has-text(x)", "input[value='text=x']"]) {
      expect(parseSelector(css)).toEqual({ by: "css", value: css });
    }
    expect(parseSelector("css=text")).toEqual({ by: "css", value: "text" });
  });

  test("of Playwright's chains is refused, unless it is quoted text", () => {
    expect(() => parseSelector("text=Add to cart >> nth=0")).toThrow('">>" is not accepted outside quotes');
    expect(parseSelector('text="Home >> .env"').match?.text).toBe("Home >> .env");
    expect(parseSelector("text=Home >> Lamps").match?.text).toBe("Home >> Lamps");
  });

  test("may ignore case or be a regular expression", () => {
    expect(parseSelector(`role=link[name="docs" i]`).name).toEqual({ text: "docs", how: "ignore-case" });
    expect(parseSelector("role=link[name=/^a\\/b$/i]").name).toEqual({ text: "^a\\/b$", how: "regex", flags: "i" });
    expect(parseSelector("text=plain words").match).toEqual({ text: "plain words", how: "auto" });
    expect(parseSelector("role=link[name=Docs]").name).toEqual({ text: "Docs", how: "exact" });
  });
});
