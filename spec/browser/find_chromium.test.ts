import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { candidates, findChromium } from "../../browser/install/find_chromium.mjs";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "browse-find-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

function executable(...parts: string[]): string {
  const path = join(dir, ...parts);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  chmodSync(path, 0o755);
  return path;
}

test("the driver's own browser comes before the system's", () => {
  const own = executable("ms-playwright/chrome");
  executable("bin/google-chrome");
  const options = { env: { PATH: join(dir, "bin") }, platform: "linux" } as const;
  expect(findChromium({ ...options, playwrightPath: own })).toEqual({ path: own, source: "playwright" });
});

test.each([
  ["linux", "chrome-linux64/chrome", "chrome-headless-shell-linux64/chrome-headless-shell"],
  [
    "darwin",
    "chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing",
    "chrome-headless-shell-mac-arm64/chrome-headless-shell",
  ],
  ["win32", "chrome-win64/chrome.exe", "chrome-headless-shell-win64/chrome-headless-shell.exe"],
] as const)("the driver's headless shell comes first on %s, unless a window is wanted", (platform, full, shell) => {
  const playwrightPath = executable(`ms-playwright/chromium-1255/${full}`);
  const own = executable(`ms-playwright/chromium_headless_shell-1255/${shell}`);
  const options = { env: { PATH: "" }, platform, playwrightPath };
  expect(findChromium(options)).toEqual({ path: own, source: "playwright" });
  expect(findChromium({ ...options, headed: true })).toEqual({ path: playwrightPath, source: "playwright" });
});

test("a headless shell of the system comes before its browsers, unless a window is wanted", () => {
  const options = { env: { PATH: "/bin" }, platform: "linux" } as const;
  const paths = candidates(options).map(({ path }) => path);
  expect(paths.slice(0, 2)).toEqual(["/usr/lib/chromium/chromium-headless-shell", "/bin/google-chrome"]);
  expect(candidates({ ...options, headed: true }).map(({ path }) => path)).toEqual(paths.slice(1));
});

test("a driver's browser that was never downloaded is passed over", () => {
  const system = executable("bin/google-chrome");
  const options = { env: { PATH: `/nowhere:${join(dir, "bin")}` }, platform: "linux", headed: true } as const;
  expect(findChromium({ ...options, playwrightPath: join(dir, "none") })).toEqual({ path: system, source: "system" });
});

test("BROWSE_CHROMIUM is the only place looked at, even when nothing is there", () => {
  const named = join(dir, "mine");
  const env = { BROWSE_CHROMIUM: named, PATH: join(dir, "bin") };
  executable("bin/google-chrome");
  expect(findChromium({ env, platform: "linux" })).toBeUndefined();
  executable("mine");
  expect(findChromium({ env, platform: "linux" })).toEqual({ path: named, source: "BROWSE_CHROMIUM" });
});

test("Chrome, Chromium and Edge are known on macOS, of the machine and of the user", () => {
  const paths = candidates({ env: { HOME: "/Users/a" }, platform: "darwin" }).map(({ path }) => path);
  expect(paths).toContain("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
  expect(paths).toContain("/Users/a/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge");
});

test("Chrome and Edge are known on Windows, wherever programs are installed", () => {
  const env = { PROGRAMFILES: "C:\\Program Files", LOCALAPPDATA: "C:\\Users\\a\\AppData\\Local" };
  const paths = candidates({ env, platform: "win32" }).map(({ path }) => path);
  expect(paths).toContain("C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe");
  expect(paths).toContain("C:\\Users\\a\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe");
});
