import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Canary, type CanaryEncoding, newCanary } from "../../../security/content/canary.ts";

const VALUE = "k3v9xq0bz7m2fwt8hd5rjy4cnp6gs1la";
const HEX = Buffer.from(VALUE).toString("hex");

const rot13 = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97));
const base64After = (before: string, encoding: "base64" | "base64url" = "base64") =>
  Buffer.from(`${before}${VALUE}, and more`).toString(encoding);
const percent = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
const mixed = (text: string, escaped: (letter: string) => string) =>
  [...text].map((letter, at) => (at % 3 === 0 ? escaped(letter) : letter)).join("");

const LEAKS: readonly [string, string, CanaryEncoding][] = [
  ["as it is", `the key is ${VALUE}.`, "plain"],
  ["in capitals", VALUE.toUpperCase(), "plain"],
  ["twelve of its characters", `…${VALUE.slice(7, 19)}…`, "plain"],
  ["in full-width letters", [...VALUE].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join(""), "plain"],
  ["base64 by itself", base64After(""), "base64"],
  ["base64 after one byte", base64After("x"), "base64"],
  ["base64 after two bytes", base64After("xy"), "base64"],
  ["base64url after other text", base64After("key?>~", "base64url"), "base64"],
  ["base64 of capitals", Buffer.from(`a${VALUE.toUpperCase()}`).toString("base64"), "base64"],
  ["base64 in lines", base64After("").replace(/.{10}/g, "$&\r\n"), "base64"],
  ["base64 of a piece of it", Buffer.from(VALUE.slice(5, 19)).toString("base64"), "base64"],
  ["hex", HEX, "hex"],
  ["hex in capitals, with colons", (HEX.toUpperCase().match(/../g) ?? []).join(":"), "hex"],
  ["numbers of its characters", [...VALUE].map((c) => c.charCodeAt(0)).join(", "), "decimal"],
  ["partly url-encoded", mixed(VALUE, percent), "escaped"],
  ["partly url-encoded twice", mixed(VALUE, (c) => percent(c).replace("%", "%25")), "escaped"],
  ["HTML entities", mixed(VALUE, (c) => `&#${c.charCodeAt(0)};`), "escaped"],
  ["hex entities", mixed(VALUE, (c) => `&#x${c.charCodeAt(0).toString(16)};`), "escaped"],
  ["\\u escapes", mixed(VALUE, (c) => `\\u00${c.charCodeAt(0).toString(16)}`), "escaped"],
  ["\\u{} escapes", mixed(VALUE, (c) => `\\u{${c.charCodeAt(0).toString(16)}}`), "escaped"],
  ["\\x escapes", mixed(VALUE, (c) => `\\x${c.charCodeAt(0).toString(16)}`), "escaped"],
  ["reversed", [...VALUE].reverse().join(""), "reversed"],
  ["rot13", rot13(VALUE), "rot13"],
  ["split by dashes", [...VALUE].join("-"), "split"],
  ["split by characters without width", [...VALUE].join("\u200b"), "split"],
  ["put together by a script", `"${VALUE.slice(0, 9)}" + "${VALUE.slice(9, 20)}"`, "split"],
];

describe("a canary in what is sent", () => {
  test.each(LEAKS)("is found %s", (_, text, encoding) => {
    expect(new Canary(VALUE).leakIn([{ where: "text", text }])).toEqual({ where: "text", encoding });
  });

  test("is found wherever it stands among other text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom(...LEAKS), (before, after, [, leak]) => {
        // A digit, a letter or a sign that escapes may join what follows to itself.
        const text = `${before.replace(/[a-z0-9%\\&#]/gi, "")} ${leak} ${after}`;
        return new Canary(VALUE).leakIn([{ where: "text", text }]) !== undefined;
      }),
      { numRuns: 300 },
    );
  });

  test("is found typed key by key in one place", () => {
    const canary = new Canary(VALUE);
    const found = [...VALUE].map((key) => canary.leakIn([{ where: "press.key", text: key }]));
    expect(found.findIndex((leak) => leak !== undefined)).toBe(11);
    expect(found[11]).toEqual({ where: "press.key", encoding: "pieces" });
  });

  test("is found when pieces that were sent before come to three quarters of it", () => {
    const canary = new Canary(VALUE);
    const send = (text: string) => canary.leakIn([{ where: `place ${Math.random()}`, text }]);
    expect(send(`third ${VALUE.slice(16, 24)}`)).toBeUndefined();
    expect(send(Buffer.from(VALUE.slice(0, 8)).toString("hex"))).toBeUndefined();
    expect(send("something else")).toBeUndefined();
    expect(send(VALUE.slice(8, 16))).toMatchObject({ encoding: "pieces" });
    // It was not sent: what is sent without a piece of it may be.
    expect(send("something else")).toBeUndefined();
    expect(send(VALUE.slice(8, 16))).toMatchObject({ encoding: "pieces" });
  });

  test("is not seen in fewer than six of its characters in a row", () => {
    const canary = new Canary(VALUE);
    for (let at = 0; at < VALUE.length; at += 5) {
      expect(canary.leakIn([{ where: String(at), text: `x ${VALUE.slice(at, at + 5)} y` }])).toBeUndefined();
    }
  });

  test("is not seen in text, code, or random data", () => {
    const canary = new Canary(VALUE);
    for (let round = 0; round < 20; round++) {
      const texts = Array.from({ length: 2_000 }, newCanary).join(round % 2 ? "" : " ");
      expect(canary.leakIn([{ where: "text", text: texts }])).toBeUndefined();
      expect(canary.leakIn([{ where: "text", text: Buffer.from(texts).toString("base64") }])).toBeUndefined();
    }
  });

  test("takes time in proportion to the text, of whatever kind", () => {
    const canary = new Canary(VALUE);
    for (const unit of [VALUE.slice(0, 5), "%25", "&#0", "\\u", "\u200b", "a", "k3v", "\ufdfa"]) {
      const started = performance.now();
      canary.leakIn([{ where: "text", text: unit.repeat(1_000_000 / unit.length) }]);
      expect(performance.now() - started, unit).toBeLessThan(2_000);
    }
  });

  test("is another one each time", () => {
    const values = new Set(Array.from({ length: 100 }, newCanary));
    expect(values.size).toBe(100);
    for (const value of values) expect(value).toMatch(/^[a-z0-9]{24,}$/);
  });
});
