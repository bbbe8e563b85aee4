import { constants, PerformanceObserver } from "node:perf_hooks";
import { afterEach, expect, test, vi } from "vitest";
import { MemoryRelief } from "../../../rpc/lifecycle/memory_relief.ts";

const ON_REQUEST =
  constants.NODE_PERFORMANCE_GC_FLAGS_FORCED | constants.NODE_PERFORMANCE_GC_FLAGS_ALL_AVAILABLE_GARBAGE;

/** As Node gives it; its types leave out what it tells beyond the standard. */
interface PerformanceNodeEntry extends PerformanceEntry {
  detail: { flags?: number };
}

/** Milliseconds, on the clock of `performance`, of the next collection that somebody asked for. */
async function nextCollection(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const observer = new PerformanceObserver((list) => {
    for (const { detail, startTime } of list.getEntries() as PerformanceNodeEntry[]) {
      if ((Number(detail.flags) & ON_REQUEST) !== 0) resolve(startTime);
    }
  });
  observer.observe({ entryTypes: ["gc"] });
  const at = await promise;
  observer.disconnect();
  return at;
}

afterEach(() => vi.useRealTimers());

test("a storm of events is followed by a collection, once it is over", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const relief = new MemoryRelief();
  const collected = nextCollection();
  for (let event = 0; event < 5_000; event++) relief.note();
  for (let second = 0; second < 3; second++) {
    await vi.advanceTimersByTimeAsync(1_000);
    relief.note();
  }
  await vi.advanceTimersByTimeAsync(1_000);
  const ended = performance.now();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await collected).toBeGreaterThan(ended);
});
