import { expect, test } from "vitest";
import { wordsOf } from "../../bin/cli/words.ts";

test.each([
  ["click #save", ["click", "#save"]],
  ["click #save # the first one", ["click", "#save"]],
  ["url #", ["url"]],
  ["# a comment", []],
  ["  #no space needed here", []],
  ["fill #name 'a # b'", ["fill", "#name", "a # b"]],
  ["click a#b", ["click", "a#b"]],
])("%s has the words %j", (line, words) => {
  expect(wordsOf(line)).toEqual(words);
});
