import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { installChromium } from "../../browser/install/install_chromium.mjs";

let dir: string;
let said: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "browse-install-"));
  said = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs an installer of our own in the place of Playwright's. */
async function install(script: string) {
  const playwrightCli = join(dir, "cli.cjs");
  const browser = join(dir, "chromium");
  writeFileSync(playwrightCli, script.replace("BROWSER", JSON.stringify(browser)));
  return await installChromium({
    node: process.execPath,
    playwrightCli,
    find: async () => (existsSync(browser) ? { path: browser, source: "playwright" } : undefined),
    say: (text) => said.push(text),
    // The system's package manager is another matter, which a test leaves alone.
    signal: AbortSignal.timeout(5_000),
  });
}

test("what Playwright downloads is found, and told on the way", async () => {
  const result = await install("require('node:fs').writeFileSync(BROWSER, process.argv.slice(2).join(' '))");
  expect(result).toEqual({ found: { path: join(dir, "chromium"), source: "playwright" } });
  expect(said).toEqual(["Looking for a browser: none found; downloading Playwright's Chromium"]);
});
