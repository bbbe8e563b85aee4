import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { carries, markerFor, weave } from "../../../security/content/datamark.ts";

const MARKER = markerFor("agent");
const sentence = "The lamp is made of brass, and stands on a table of oak in the hall. ";
const page = sentence.repeat(20);
const marksIn = (text: string) => text.split(MARKER).length - 1;

describe("weaving", () => {
  test("marks long text after about every forty words, and nothing else of it changes", () => {
    const woven = weave(page, MARKER);
    expect(marksIn(woven)).toBe(Math.floor((page.trim().split(" ").length - 1) / 40));
    expect(woven.replaceAll(` ${MARKER} `, " ")).toBe(page);
    expect(woven.startsWith("The lamp")).toBe(true);
  });

  test("leaves short text alone", () => {
    const short = page.slice(0, 499);
    expect(weave(short, MARKER)).toBe(short);
  });

  test("marks text whose words are not parted by spaces", () => {
    const text = "真鍮のランプは、広間の樫の机の上にあります。".repeat(40);
    expect(marksIn(weave(text, MARKER))).toBeGreaterThan(3);
    expect(weave(text, MARKER).replaceAll(` ${MARKER} `, "")).toBe(text);
  });

  test("leaves the marks of Markdown and code where they are", () => {
    const line = '## Install\n\n1. [Docs](https://x.example/a "The docs")\n- `a = b`\n\n| a | b |\n';
    const woven = weave(line.repeat(50), MARKER);
    for (const each of woven.split("\n")) expect(each).not.toMatch(/^\W*\^|\(\S+ \^| \^\w+\^ "/);
  });

  test("never loses a character of any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 500, maxLength: 2_000 }), (text) => {
        const woven = weave(text, MARKER);
        return woven.replaceAll(MARKER, "").replaceAll(" ", "") === text.replaceAll(" ", "");
      }),
    );
  });

  test("takes time in proportion to the text", () => {
    for (const unit of ["a ", "a  ", "。a", "\n", " "]) {
      const started = performance.now();
      weave(unit.repeat(1_000_000), MARKER);
      expect(performance.now() - started, unit).toBeLessThan(2_000);
    }
  });
});

describe("a marker", () => {
  test("is the same for its holder, and another for others", () => {
    expect(markerFor("agent")).toBe(MARKER);
    expect(MARKER).toMatch(/^\^[a-z0-9]{4}\^$/);
    expect(new Set(Array.from({ length: 50 }, (_, at) => markerFor(String(at)))).size).toBeGreaterThan(45);
  });

  test.each<readonly [string, string]>([
    ["as it is", `of oak ${MARKER} in the hall`],
    ["in capitals", MARKER.toUpperCase()],
    ["in an address", encodeURIComponent(`a ${MARKER} b`)],
    ["in a script", JSON.stringify(MARKER).replaceAll("^", "\\u005e")],
    ...["", "x", "xy"].map(
      (before) => ["in base64", Buffer.from(`${before}${MARKER} and`).toString("base64")] as const,
    ),
  ])("is found %s", (_, text) => expect(carries(text, MARKER)).toBe(true));

  test("is not found in text without it", () => {
    expect(carries(page, MARKER)).toBe(false);
    expect(carries("2^10^2, ^abc^", MARKER)).toBe(false);
  });
});
