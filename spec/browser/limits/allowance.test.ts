import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Allowance } from "../../../browser/limits/allowance.ts";
import { DownloadBudget } from "../../../browser/limits/download_budget.ts";
import { TimeBudget } from "../../../browser/limits/time_budget.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("An allowance gives what it holds at once, and more as time passes, never more than it holds", () => {
  const allowance = new Allowance({ most: 2, perMinute: 60 });
  expect([allowance.take(), allowance.take(), allowance.take()]).toEqual([true, true, false]);
  vi.advanceTimersByTime(1_000);
  expect([allowance.take(), allowance.take()]).toEqual([true, false]);
  vi.advanceTimersByTime(60_000);
  expect([allowance.take(), allowance.take(), allowance.take()]).toEqual([true, true, false]);
});

test("A budget of time is spent by work, and comes back", () => {
  const budget = new TimeBudget();
  expect(budget.isLeft).toBe(true);
  budget.spend(() => vi.advanceTimersByTime(1_000));
  expect(budget.isLeft).toBe(false);
  vi.advanceTimersByTime(3_000);
  expect(budget.isLeft).toBe(true);
});

test("A session's pages may download 20 files at one go", () => {
  const budget = new DownloadBudget();
  for (let file = 0; file < 20; file++) budget.begin();
  expect(() => budget.begin()).toThrow("Pages of this session download more than 20 files a minute");
});

test("Files on their way count towards what a session's pages may download, and files that were removed do not", () => {
  const budget = new DownloadBudget({ maxTotalBytes: 100_000_000 });
  const [first, second] = [{}, {}];
  expect(budget.note(first, 60_000_000)).toBeUndefined();
  expect(budget.note(second, 60_000_000)?.message).toBe("Pages of this session have downloaded more than 100 MB");
  budget.end(second, undefined);
  budget.end(first, import.meta.filename);
  expect(budget.note({}, 60_000_000)).toMatchObject({ kind: "too_large" });
  const other = new DownloadBudget({ maxTotalBytes: 100_000_000 });
  other.note(first, 60_000_000);
  other.end(first, "/nowhere/any-more");
  expect(other.note(second, 60_000_000)).toBeUndefined();
});
