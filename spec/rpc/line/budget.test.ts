import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toBrowseError } from "../../../errors.ts";
import { assertShort, assertWithinBudget, type Window } from "../../../rpc/line/budget.ts";
import { windowOf } from "../../../rpc/line/print.ts";

const REST = "--max-chars <n> shows more at once, --out <file> writes all]";

const cutToBudget = (text: string, window: Window) => windowOf([{ text }], window);

describe("A budget", () => {
  test("leaves text that fits", () => {
    expect(cutToBudget("é".repeat(5), { maxChars: 5 })).toBe("é".repeat(5));
    expect(cutToBudget("é".repeat(5), { maxChars: 5, isLog: true })).toBe("é".repeat(5));
  });

  test("cuts at the end of a line and says how to go on", () => {
    expect(cutToBudget("one\ntwo\nthree\n", { maxChars: 9 })).toBe(
      `one\ntwo\n[6 more characters: --offset 8 goes on, ${REST}`,
    );
  });

  test("cuts within a line where whole ones would leave most of it out", () => {
    expect(cutToBudget(`a\n${"b".repeat(50)}`, { maxChars: 20 })).toBe(
      `a\n${"b".repeat(18)}\n[32 more characters: --offset 20 goes on, ${REST}`,
    );
  });

  test("goes on where it was cut", () => {
    expect(cutToBudget("one\ntwo\nthree\n", { maxChars: 9, offset: 8 })).toBe("three\n");
    expect(cutToBudget("one\ntwo\nthree\n", { maxChars: 4, offset: 4 })).toMatch(/^two\n\[6 more .* --offset 8 /);
  });

  test("keeps the newest lines of a log, unless it is asked for from some place on", () => {
    const log = { maxChars: 9, isLog: true };
    expect(cutToBudget("one\ntwo\nthree\n", log)).toBe(
      "[8 characters before this: --offset 0 begins with them, --out <file> writes all]\nthree\n",
    );
    expect(cutToBudget("one\ntwo\nthree\n", { ...log, offset: 0 })).toMatch(/^one\ntwo\n\[6 more/);
    expect(cutToBudget("x".repeat(30), log)).toMatch(/^\[21 characters before this: [^\n]*\nx{9}$/);
  });

  test("goes on with a whole character, wherever the offset stands", () => {
    expect(cutToBudget("a😀b", { maxChars: 9, offset: 2 })).toBe("😀b");
    expect(cutToBudget("a😀b\nc\n", { maxChars: 4, offset: 2 })).toMatch(/^😀b\n\[2 more characters: --offset 5 /);
  });

  test("refuses an offset beyond the end, with the length", () => {
    const cut = () => cutToBudget("12345", { maxChars: 9, offset: 6 });
    expect(cut).toThrow(
      expect.objectContaining({ kind: "invalid_params", message: expect.stringContaining("5 characters") }),
    );
    expect(cutToBudget("12345", { maxChars: 9, offset: 5 })).toBe("");
  });

  test("gives all of a text in windows, each within the budget, and splits no character", () => {
    const MARKER = /\n?\[\d+ more characters: --offset (\d+) goes on, [^\]]*\]$/;
    const text = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 8 });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 60 }), (lines, maxChars) => {
        const whole = lines.join("\n").toWellFormed();
        let seen = "";
        for (let offset: number | undefined = 0; offset !== undefined; ) {
          const cut = cutToBudget(whole, { maxChars, offset });
          const next: RegExpExecArray | null = MARKER.exec(cut);
          const end = next ? Number(next[1]) : whole.length;
          const kept = cut.slice(0, end - offset);
          expect(kept.length).toBeLessThanOrEqual(maxChars);
          expect(kept.isWellFormed()).toBe(true);
          seen += kept;
          expect(end > offset || !next).toBe(true);
          offset = next ? end : undefined;
        }
        expect(seen).toBe(whole);
      }),
    );
  });

  test("of JSON, and of what must be whole, is kept or refused", () => {
    expect(() => assertWithinBudget('"éé"', 6, "Ask for less")).not.toThrow();
    expect(() => assertShort('"éé"', 4, "Ask for less")).not.toThrow();
    const refusalOf = (check: () => void) => {
      try {
        check();
      } catch (error) {
        return toBrowseError(error);
      }
      return expect.unreachable();
    };
    expect(refusalOf(() => assertWithinBudget('"éé"', 5, "Ask for less"))).toMatchObject({
      kind: "too_large",
      hint: "Ask for less",
      details: { bytes: 6 },
    });
    expect(refusalOf(() => assertShort('"éé"', 3, "Ask for less"))).toMatchObject({ details: { characters: 4 } });
  });
});
