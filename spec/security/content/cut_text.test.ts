import { expect, test } from "vitest";
import { cutText, headOf } from "../../../security/content/cut_text.ts";

test("A text is cut with how much follows, however often it was cut before", () => {
  const whole = "a".repeat(1_000);
  expect(cutText(whole, 1_000)).toBe(whole);
  expect(cutText(whole, 400)).toBe(`${"a".repeat(400)}… (600 more characters)`);
  expect(cutText(cutText(whole, 400), 100)).toBe(`${"a".repeat(100)}… (900 more characters)`);
  expect(cutText(cutText(whole, 400), 400)).toBe(cutText(whole, 400));
});

test("What is left of a character that was cut through is a sign of it, not half of one", () => {
  expect(cutText("ab\u{1f600}", 3)).toBe("ab\ufffd… (1 more characters)");
  expect(headOf("ab\u{1f600}", 3)).toBe("ab\ud83d");
});
