/** Only where the system shares time by session: files of the real kernel, of real processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { yieldSession } from "../../../browser/process/processor_share.ts";

const OWN = "/proc/self/autogroup";

let child: ChildProcess | undefined;

async function start({ detached }: { detached: boolean }): Promise<number> {
  child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1_000)"], { detached, stdio: "ignore" });
  await once(child, "spawn");
  return child.pid ?? 0;
}

afterEach(() => {
  child?.kill("SIGKILL");
});

describe.runIf(existsSync(OWN))("the processor's time of a browser", () => {
  it("is what its session may have beside the daemon's", async () => {
    const own = readFileSync(OWN, "utf8");
    const pid = await start({ detached: true });
    yieldSession(pid);
    expect(readFileSync(`/proc/${pid}/autogroup`, "utf8")).toMatch(/ nice 5\n$/);
    expect(readFileSync(OWN, "utf8")).toBe(own);
  });

  it("is left alone in the daemon's own session", async () => {
    const own = readFileSync(OWN, "utf8");
    yieldSession(await start({ detached: false }));
    expect(readFileSync(OWN, "utf8")).toBe(own);
  });

  it("does not matter when the browser is gone", async () => {
    const pid = await start({ detached: true });
    const exit = once(child as ChildProcess, "exit");
    child?.kill("SIGKILL");
    await exit;
    expect(() => yieldSession(pid)).not.toThrow();
  });
});
