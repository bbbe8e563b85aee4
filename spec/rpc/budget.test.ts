import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assertWithinBudget, cutToBudget } from "../../rpc/budget.ts";
import { toBrowseError } from "../../rpc/errors.ts";

describe("A budget", () => {
  test("leaves text that fits", () => {
    expect(cutToBudget("é".repeat(5), { maxBytes: 10 })).toBe("é".repeat(5));
  });

  test("cuts at the end of a line and says how to go on", () => {
    expect(cutToBudget("one\ntwo\nthree\n", { maxBytes: 9 })).toBe(
      "one\ntwo\n[6 more bytes: --offset 8 goes on, --out <file> writes all]",
    );
  });

  test("goes on where it was cut", () => {
    expect(cutToBudget("one\ntwo\nthree\n", { maxBytes: 9, offset: 8 })).toBe("three\n");
    expect(cutToBudget("one\ntwo\nthree\n", { maxBytes: 4, offset: 4 })).toMatch(/^two\n\[6 more bytes: --offset 8 /);
  });

  test("goes on with a whole character, wherever the offset stands", () => {
    expect(cutToBudget("a😀b", { maxBytes: 9, offset: 3 })).toBe("😀b");
    expect(cutToBudget("a😀b\nc\n", { maxBytes: 7, offset: 3 })).toMatch(/^😀b\n\[2 more bytes: --offset 7 /);
  });

  test("refuses an offset beyond the end, with the length", () => {
    const cut = () => cutToBudget("12345", { maxBytes: 9, offset: 6 });
    expect(cut).toThrow(
      expect.objectContaining({ kind: "invalid_params", message: expect.stringContaining("5 bytes") }),
    );
    expect(cutToBudget("12345", { maxBytes: 9, offset: 5 })).toBe("");
  });

  test("gives all of a text in windows, each within the budget, and splits no character", () => {
    const MARKER = /\n?\[\d+ more bytes: --offset (\d+) goes on, --out <file> writes all\]$/;
    const text = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 8 });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 60 }), (lines, maxBytes) => {
        const whole = lines.join("\n").toWellFormed();
        let seen = Buffer.alloc(0);
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const cut = cutToBudget(whole, { maxBytes, offset });
          const next: RegExpExecArray | null = MARKER.exec(cut);
          const end = next ? Number(next[1]) : Buffer.byteLength(whole);
          const kept = Buffer.from(cut).subarray(0, end - offset);
          expect(kept.length).toBeLessThanOrEqual(maxBytes);
          expect(kept.toString()).not.toContain("\ufffd");
          seen = Buffer.concat([seen, kept]);
          expect(end > offset || !next).toBe(true);
          offset = next ? end : undefined;
        }
        expect(seen.toString()).toBe(whole);
      }),
    );
  });

  test("of JSON is kept or refused whole", () => {
    expect(() => assertWithinBudget('"éé"', 6, "Ask for less")).not.toThrow();
    try {
      assertWithinBudget('"éé"', 5, "Ask for less");
      expect.unreachable();
    } catch (error) {
      expect(toBrowseError(error)).toMatchObject({ kind: "too_large", hint: "Ask for less", details: { bytes: 6 } });
    }
  });
});
