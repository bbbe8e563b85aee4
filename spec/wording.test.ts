import { expect, test } from "vitest";
import { nearest, splitWords } from "../wording.ts";

test.each([
  ["clik", "click"],
  ["screnshot", "screenshot"],
  ["Click", "click"],
  ["zzzzz", undefined],
  ["ab", undefined],
  ["foo", undefined],
  ["cick", "click"],
  ["ulr", "url"],
  ["", undefined],
])("The nearest name to %j is %j", (name, expected) => {
  expect(nearest(name, ["click", "screenshot", "js", "url", "box"])).toBe(expected);
});

test.each([
  ["browse click @e3", ["browse", "click", "@e3"]],
  [`  fill 'a b' "c \\" d" e\\ f  `, ["fill", "a b", 'c " d', "e f"]],
  [`role=button[name="Save it"]`, ["role=button[name=Save it]"]],
  [`a '' ""`, ["a", "", ""]],
  [`'it'\\''s'`, ["it's"]],
  [`js "a\\nb"`, ["js", "a\\nb"]],
  ["click #save", ["click", "#save"]],
  ["click #save # the first one", ["click", "#save"]],
  ["url #", ["url"]],
  ["# a comment", []],
  ["  #no space needed here", []],
  ["fill #name 'a # b'", ["fill", "#name", "a # b"]],
  ["click a#b", ["click", "a#b"]],
  ["", []],
])("the words of %j are %j", (line, words) => {
  expect(splitWords(line)).toEqual({ lines: [words] });
});

test.each([
  ["open 'quote", "'quote"],
  ["open \\", "\\"],
  [`open "a b`, `"a b`],
])("%j is left open at %j", (line, unclosed) => {
  expect(splitWords(line).unclosed).toBe(unclosed);
});

test("lines end where they are to end", () => {
  expect(splitWords("a b | c\nd", "bars").lines).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  expect(splitWords("a b | c\nd").lines).toEqual([["a", "b", "|", "c"], ["d"]]);
});
