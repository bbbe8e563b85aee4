/** How the end of a browser is told, by real processes in the place of one. */
import { spawn } from "node:child_process";
import type { Browser } from "playwright";
import { describe, expect, it } from "vitest";
import { BrowserExit } from "../../../browser/process/browser_exit.ts";

/** A browser whose process, as the driver keeps it, runs this script. */
function browserOf(script: string): { browserExit: BrowserExit; end: () => void } {
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "pipe"] });
  const toImpl = () => ({ options: { browserProcess: { process: child } } });
  const browser = { _connection: { toImpl } } as unknown as Browser;
  return { browserExit: new BrowserExit(browser), end: () => child.kill("SIGTERM") };
}

describe("the last words of a browser", () => {
  it("are the last 20 lines of its standard error, and its exit code", async () => {
    const { browserExit } = browserOf(`
      for (let line = 1; line <= 30; line++) console.error("line " + line);
      process.exitCode = 3;
    `);
    const lines = Array.from({ length: 20 }, (_, index) => `    line ${index + 11}`);
    expect((await browserExit.describe()).split("\n")).toEqual([
      "Chromium ended by itself, with exit code 3. It said last:",
      ...lines,
    ]);
  });

  it("are cut where a line does not end", async () => {
    const { browserExit } = browserOf(`
      for (let part = 0; part < 50; part++) process.stderr.write("x".repeat(100_000));
      process.stderr.write("\\nthe end\\n");
    `);
    const [, line = "", end] = (await browserExit.describe()).split("\n");
    expect(line.trim()).toMatch(/^x{2000,4000}$/);
    expect(end).toBe("    the end");
  });

  it("name the signal that ended it", async () => {
    const { browserExit, end } = browserOf("setInterval(() => {}, 1_000)");
    end();
    expect(await browserExit.describe()).toBe("Chromium ended by itself, killed by SIGTERM");
  });

  it("are none of a browser that the driver does not run itself", async () => {
    expect(await new BrowserExit({} as Browser).describe()).toBe("Chromium ended by itself");
  });
});
