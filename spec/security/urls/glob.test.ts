import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesGlob } from "../../../security/urls/glob.ts";

describe("A glob", () => {
  test.each([
    ["*", "", true],
    ["a*c", "abc", true],
    ["a*c", "abcd", false],
    ["*.png", "http://x/a.png", true],
    ["http://x/?q=*", "http://x/?q=1", true],
    ["http://x/?q", "http://x/aq", false],
    ["", "", true],
    ["", "a", false],
    ["**a", "ba", true],
  ])("%j on %j is %j", (glob, text, expected) => {
    expect(matchesGlob(glob, text)).toBe(expected);
  });

  test("agrees with the regular expression it stands for", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 8 });
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 });
    fc.assert(
      fc.property(letters, text, (glob, subject) => {
        expect(matchesGlob(glob, subject)).toBe(new RegExp(`^${glob.replaceAll("*", ".*")}$`).test(subject));
      }),
    );
  });
});
