/** Runs around each file: what it changes of its process it puts back, since others of the suite come after it there. */
import { afterAll, expect, vi } from "vitest";

/** A driver whose browser stays for the files that follow listens for the end of the process. */
const OF_ITS_END = ["exit", "SIGHUP", "SIGINT", "SIGTERM"];

const before = traces();

afterAll(() => {
  expect(traces(), "what this file leaves in its process").toEqual(before);
});

function traces() {
  const events = process.eventNames().filter((name) => !OF_ITS_END.includes(String(name)));
  return {
    environment: { ...process.env },
    folder: process.cwd(),
    listeners: Object.fromEntries(events.map((name) => [name, process.listenerCount(name)])),
    isTimeFake: vi.isFakeTimers(),
  };
}
