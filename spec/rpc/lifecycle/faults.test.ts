import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test, vi } from "vitest";

test("what nobody catches is counted and written down, and the process goes on", async () => {
  const child = fork(join(import.meta.dirname, "programs/faulty.ts"));
  try {
    const figures = await vi.waitFor(async () => {
      child.send("?");
      const [answer] = (await once(child, "message")) as [{ told: string[]; count: number }];
      expect(answer.count).toBe(2);
      return answer;
    });
    // The second came right after the first: a storm of faults is not to fill the log.
    expect(figures.told).toEqual(["An exception was not caught: in a listener"]);
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill();
  }
});
