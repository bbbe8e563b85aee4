import { expect, test } from "vitest";
import { isSameName } from "../../refs/page/act/same_name.ts";

test.each([
  ["Archive selected (0)", "Archive selected (3)"],
  ["Inbox [12]", "Inbox [9]"],
  ["Save", "Save"],
])("%s and %s are names of one element", (then, now) => {
  expect(isSameName(then, now)).toBe(true);
});

test.each([
  ["Row 1", "Row 2"],
  ["Open (draft)", "Open (sent)"],
  ["Delete (1)", "Archive (1)"],
  ["Archive (2)", "Archive"],
])("%s and %s may be of two, where rows are used again", (then, now) => {
  expect(isSameName(then, now)).toBe(false);
});
