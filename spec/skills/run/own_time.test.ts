import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OwnTime } from "../../../skills/run/own_time.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

test("no time passes while a person is waited for", () => {
  const time = new OwnTime();
  const late = time.begin(1_000);
  vi.advanceTimersByTime(400);
  const [first, second] = [time.hold(), time.hold()];
  vi.advanceTimersByTime(60_000);
  first[Symbol.dispose]();
  vi.advanceTimersByTime(60_000);
  second[Symbol.dispose]();
  vi.advanceTimersByTime(599);
  expect(late.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(late.aborted).toBe(true);
});

test("an answer that comes after the end begins nothing", () => {
  const time = new OwnTime();
  const late = time.begin(1_000);
  const held = time.hold();
  time.end();
  held[Symbol.dispose]();
  vi.advanceTimersByTime(5_000);
  expect([late.aborted, vi.getTimerCount()]).toEqual([false, 0]);
});

test("a job that begins while another's answer is waited for does not run out", () => {
  const time = new OwnTime();
  const held = time.hold();
  const late = time.begin(1_000);
  vi.advanceTimersByTime(5_000);
  expect(late.aborted).toBe(false);
  held[Symbol.dispose]();
  vi.advanceTimersByTime(1_000);
  expect(late.aborted).toBe(true);
});
