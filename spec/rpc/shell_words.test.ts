import { expect, test } from "vitest";
import { shellWords } from "../../rpc/shell_words.ts";

test.each([
  ["browse click @e3", ["browse", "click", "@e3"]],
  [`  fill 'a b' "c \\" d" e\\ f  `, ["fill", "a b", 'c " d', "e f"]],
  [`role=button[name="Save it"]`, ["role=button[name=Save it]"]],
  [`a '' ""`, ["a", "", ""]],
  [`'it'\\''s'`, ["it's"]],
  ["", []],
  ["open 'quote", undefined],
  ["open \\", undefined],
])("The words of %j are %j", (line, words) => {
  expect(shellWords(line)).toEqual(words);
});
