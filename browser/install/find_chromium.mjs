/**
 * Where a Chromium may be on this machine. Plain JavaScript without packages, because `bin/setup.mjs` asks before
 * anything is installed and the daemon asks the same question when it launches.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** @typedef {import("./find_chromium.mjs").FoundChromium} FoundChromium */
/** @typedef {import("./find_chromium.mjs").FindChromiumOptions} FindChromiumOptions */

/** Debian's. The file of that name in /usr/bin is a script that stays: a signal to it does not reach the browser. */
const LINUX_SHELL = "/usr/lib/chromium/chromium-headless-shell";
const LINUX_NAMES = [
  "google-chrome",
  "google-chrome-stable",
  "chromium",
  "chromium-browser",
  "microsoft-edge",
  "microsoft-edge-stable",
];
const MAC_APPS = ["Google Chrome", "Chromium", "Microsoft Edge"];
const WINDOWS_FILES = [
  "Google/Chrome/Application/chrome.exe",
  "Chromium/Application/chrome.exe",
  "Microsoft/Edge/Application/msedge.exe",
];

/**
 * The first browser that exists, in the order of `candidates`; undefined when there is none.
 * @param {FindChromiumOptions} [options]
 * @returns {FoundChromium | undefined}
 */
export function findChromium(options) {
  return candidates(options).find((candidate) => existsSync(candidate.path));
}

/**
 * Every place that is looked at. Without a window a headless shell comes first: it does the same with a fifth of the
 * processor time (docs/design/process-lifecycle.md). A person's `BROWSE_CHROMIUM` is the only one when it is set: another browser than the
 * one they named would be a surprise.
 * @param {FindChromiumOptions} [options]
 * @returns {FoundChromium[]}
 */
export function candidates({ env = process.env, platform = process.platform, playwrightPath, headed = false } = {}) {
  if (env.BROWSE_CHROMIUM) return [{ path: env.BROWSE_CHROMIUM, source: "BROWSE_CHROMIUM" }];
  const own = playwrightPath ? [...(headed ? [] : shellsBeside(playwrightPath)), playwrightPath] : [];
  const system = [...(headed || platform !== "linux" ? [] : [LINUX_SHELL]), ...systemPaths(env, platform)];
  return [
    ...own.map((file) => /** @type {const} */ ({ path: file, source: "playwright" })),
    ...system.map((file) => /** @type {const} */ ({ path: file, source: "system" })),
  ];
}

/**
 * The headless shell that Playwright downloads with a Chromium: `…/chromium-1255/chrome-linux64/chrome` has it at
 * `…/chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell`.
 * @param {string} playwrightPath
 * @returns {string[]}
 */
function shellsBeside(playwrightPath) {
  const parts = /^(.*[\\/])chromium-(\d+)([\\/])chrome-([^\\/]+)[\\/]/.exec(playwrightPath);
  if (!parts) return [];
  const [, before, revision, slash, machine] = parts;
  const name = playwrightPath.endsWith(".exe") ? "chrome-headless-shell.exe" : "chrome-headless-shell";
  return [[`${before}chromium_headless_shell-${revision}`, `chrome-headless-shell-${machine}`, name].join(slash)];
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {NodeJS.Platform} platform
 * @returns {string[]}
 */
function systemPaths(env, platform) {
  if (platform === "win32") {
    const roots = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].filter((root) => root !== undefined);
    return WINDOWS_FILES.flatMap((file) => roots.map((root) => path.win32.join(root, file)));
  }
  if (platform === "darwin") {
    const roots = ["/Applications", path.posix.join(env.HOME ?? homedir(), "Applications")];
    return MAC_APPS.flatMap((app) => roots.map((root) => `${root}/${app}.app/Contents/MacOS/${app}`));
  }
  const folders = [...(env.PATH ?? "").split(":").filter(Boolean), "/usr/bin", "/usr/local/bin", "/snap/bin"];
  const onPath = LINUX_NAMES.flatMap((name) => folders.map((folder) => path.posix.join(folder, name)));
  return [...new Set([...onPath, "/opt/google/chrome/chrome", "/opt/microsoft/msedge/msedge"])];
}
