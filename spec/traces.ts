/** Runs around each file: what it changes of its process it puts back, since others of the suite come after it there. */
import { afterAll, expect, vi } from "vitest";

const before = traces();

afterAll(() => {
  expect(traces(), "what this file leaves in its process").toEqual(before);
});

function traces() {
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    listeners: Object.fromEntries(process.eventNames().map((name) => [name, process.listenerCount(name)])),
    isTimeFake: vi.isFakeTimers(),
    // Libraries keep what they share between their copies under such names.
    globals: Object.getOwnPropertyNames(globalThis)
      .filter((name) => !name.startsWith("__"))
      .toSorted(),
  };
}
