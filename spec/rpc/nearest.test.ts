import { expect, test } from "vitest";
import { nearest } from "../../rpc/nearest.ts";

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
