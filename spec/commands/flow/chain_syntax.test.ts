import { expect, test } from "vitest";
import { parseBatch, parseChain } from "../../../commands/flow/_chain_syntax.ts";

test("A # before a word is a selector, alone or at a line's start it begins a comment", () => {
  const click = [["click", "#save"], ["url"]];
  expect(parseBatch("#first\nclick #save # then\n  # more\nurl #")).toEqual(click);
  expect(parseChain("click #save | url")).toEqual(click);
  expect(parseChain("# first\nclick #save |\n url # done | title")).toEqual(click);
});

test("A command may be written as it is in a shell, with browse before it", () => {
  const look = [["url"], ["snapshot", "-i"]];
  expect(parseChain("browse url | browse snapshot -i")).toEqual(look);
  expect(parseChain('[["browse", "url"], ["snapshot", "-i"]]')).toEqual(look);
  expect(parseBatch("browse url\nsnapshot -i\nbrowse\n")).toEqual(look);
  expect(parseChain("click browse")).toEqual([["click", "browse"]]);
});
