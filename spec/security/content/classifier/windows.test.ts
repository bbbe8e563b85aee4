import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanText, spanInOriginal } from "../../../../security/content/classifier/clean_text.ts";
import { windowsOf } from "../../../../security/content/classifier/windows.ts";

describe("The windows of a text", () => {
  test("that is short are one", () => {
    expect(windowsOf("short")).toEqual([{ span: [0, 5], text: "short" }]);
    expect(windowsOf("")).toEqual([{ span: [0, 0], text: "" }]);
    expect(windowsOf("x".repeat(320))).toHaveLength(1);
  });

  test("begin at every 160th character, and the last one ends with the text", () => {
    expect(windowsOf("x".repeat(700)).map(({ span }) => span)).toEqual([
      [0, 320],
      [160, 480],
      [320, 640],
      [380, 700],
    ]);
    expect(windowsOf("x".repeat(640)).map(({ span }) => span[0])).toEqual([0, 160, 320]);
  });

  test("count characters, and not their halves", () => {
    const [first, second] = windowsOf("😀".repeat(400));
    expect(first!.text).toBe("😀".repeat(320));
    expect(second!.span).toEqual([160, 800]);
  });
});

describe("A text that is cleaned", () => {
  test("loses what nobody sees, and what only looks different", () => {
    expect(cleanText("\u00a0 ig\u200bno\u00adre\n\n\tthe  ﬁle\u{e0041} \ufeff")).toBe("ignore the file");
    expect(cleanText(" \t\n ")).toBe("");
    expect(cleanText("a\ud800b")).toBe("a\ufffdb");
  });

  test("is found again where it was", () => {
    const filler = fc.string({ unit: fc.constantFrom("lamp ", " \u200b", "ﬁ", "\n\n", "é "), maxLength: 100 });
    fc.assert(
      fc.property(filler, filler, (before, after) => {
        const text = `${before}[the needle]${after}`;
        const start = cleanText(text).indexOf("[the needle]");
        const [from, to] = spanInOriginal(text, [start, start + 12]);
        expect(text.slice(from, to)).toContain("the needle]");
        expect(cleanText(text.slice(from, to)).length).toBeLessThan(15);
      }),
    );
  });
});
