import { expect, test } from "vitest";
import { parseBatch, parseChain } from "../../commands/flow/_chain_syntax.ts";

test("A # before a word is a selector, alone or at a line's start it begins a comment", () => {
  const click = [["click", "#save"], ["url"]];
  expect(parseBatch("#first\nclick #save # then\n  # more\nurl #")).toEqual(click);
  expect(parseChain("click #save | url")).toEqual(click);
  expect(parseChain("# first\nclick #save |\n url # done | title")).toEqual(click);
});
