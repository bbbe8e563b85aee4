import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { coverageOf } from "../../../../security/content/classifier/coverage.ts";

describe("What is looked at", () => {
  test("of a text that is short enough, is all of it", () => {
    expect(coverageOf("short", { whole: 5, piece: 2 })).toEqual({ pieces: [{ start: 0, text: "short" }], covered: 1 });
  });

  test("of a long one is spread over it, with its beginning and its end, and says how much that is", () => {
    const { pieces, covered } = coverageOf("x".repeat(1_000), { whole: 40, piece: 10 });
    expect(pieces.map(({ start, text }) => [start, text.length])).toEqual([
      [0, 10],
      [330, 10],
      [660, 10],
      [990, 10],
    ]);
    expect(covered).toBe(0.04);
  });

  test("of any text is whole characters of it", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "👩‍👩‍👧"), maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), fc.integer({ min: 2, max: 10 }), (whole, piece, count) => {
        const { pieces, covered } = coverageOf(whole, { whole: piece * count, piece });
        for (const { start, text: part } of pieces) {
          expect(whole.slice(start, start + part.length)).toBe(part);
          expect(part.isWellFormed()).toBe(true);
        }
        expect(pieces[0]!.text).toBe(whole.slice(0, pieces[0]!.text.length));
        expect(whole.endsWith(pieces.at(-1)!.text)).toBe(true);
        expect(covered).toBeLessThanOrEqual(1);
      }),
    );
  });
});
