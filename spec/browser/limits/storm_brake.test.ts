/** When a page is slowed down, let go again, and stopped. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StormBrake, type StormEvent } from "../../../browser/limits/storm_brake.ts";

/** Between two looks at a page in a storm. */
const LOOK_MS = 250;

let rates: number[];
let told: StormEvent[];
let ended: number;
let hear: () => void;
let brake: StormBrake;

beforeEach(() => {
  vi.useFakeTimers();
  rates = [];
  told = [];
  ended = 0;
  brake = new StormBrake({
    slow: (rate) => {
      rates.push(rate);
      const { promise, resolve } = Promise.withResolvers<void>();
      hear = resolve;
      return promise;
    },
    endScript: async () => void ended++,
    tell: (event) => told.push(event),
  });
});
afterEach(() => {
  brake[Symbol.dispose]();
  vi.useRealTimers();
});

/** The page tells so much a second, for so long. */
async function storm(perSecond: number, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    brake.note(perSecond / 100);
    await vi.advanceTimersByTimeAsync(10);
  }
}

test("A page that tells less than it may, for however long, and one that loads much once, run as they are", async () => {
  await storm(1_900, 20_000);
  brake.note(4_000);
  expect([rates, told]).toEqual([[], []]);
});

test("A page in a storm runs the slower the more it tells, and as before once it is over", async () => {
  await storm(20_000, 400);
  expect(told).toEqual([{ event: "slowed", perSecond: 2_000 }]);
  const [first] = rates as [number];
  hear();
  await storm(10_000, 2 * LOOK_MS);
  expect(rates.at(-1)).toBeGreaterThan(first);
  for (let looks = 0; looks < 20 && rates.at(-1) !== 1; looks++) {
    hear();
    await vi.advanceTimersByTimeAsync(LOOK_MS);
  }
  hear();
  await vi.advanceTimersByTimeAsync(0);
  expect(rates.at(-1)).toBe(1);
  expect(told.at(-1)).toEqual({ event: "unslowed" });
  await storm(1_000, 1_000);
  expect(told).toHaveLength(2);
});

test("A script that does not pause to be slowed down is ended after 150,000 events", async () => {
  await storm(20_000, 6_000);
  expect(ended).toBe(0);
  await storm(20_000, 3_000);
  expect(ended).toBe(1);
  expect(told.at(-1)).toMatchObject({ event: "scriptEnded" });
  expect(rates).toHaveLength(1);
});
