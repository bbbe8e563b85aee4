/** Gets a Chromium onto this machine. Plain JavaScript: setup uses it before TypeScript can run. */
import { existsSync } from "node:fs";
import { candidates } from "./find_chromium.mjs";
import { lastLines, runProgram } from "./run_program.mjs";

const PLAYWRIGHT_TIMEOUT_MS = 5 * 60_000;
const APT_TIMEOUT_MS = 15 * 60_000;
const APT_INSTALL = "install -y --no-install-recommends";

/** @typedef {import("./install_chromium.mjs").InstallOptions} InstallOptions */

/** @type {typeof import("./install_chromium.mjs").installChromium} */
export async function installChromium(options) {
  const failures = [];
  for (const install of [installWithPlaywright, installWithApt]) {
    const failure = await install(options);
    const found = await options.find();
    if (found) return { found };
    if (failure) failures.push(failure);
  }
  return { failure: `${failures.join("\n\n")}\n\n${whatToDo()}` };
}

/**
 * @param {InstallOptions} options
 * @returns {Promise<string | undefined>} why it failed
 */
async function installWithPlaywright({ node, playwrightCli, say, signal }) {
  say("Looking for a browser: none found; downloading Playwright's Chromium");
  const { exitCode, output } = await runProgram(node, [playwrightCli, "install", "chromium"], {
    say,
    timeoutMs: PLAYWRIGHT_TIMEOUT_MS,
    ...(signal && { signal }),
  });
  if (exitCode === 0) return undefined;
  return `\`npx playwright install chromium\` failed:\n${lastLines(output)}`;
}

/**
 * @param {InstallOptions} options
 * @returns {Promise<string | undefined>} why it failed
 */
async function installWithApt({ say, signal }) {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return undefined;
  say("The download failed; installing the system's chromium package with apt-get (a few minutes)");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  let said = "";
  // Old lists may do, so a failed update is no reason to stop; and not every release has the headless shell.
  for (const command of ["update", `${APT_INSTALL} chromium chromium-headless-shell`, `${APT_INSTALL} chromium`]) {
    const options = { say, env, timeoutMs: APT_TIMEOUT_MS, ...(signal && { signal }) };
    const { exitCode, output } = await runProgram("apt-get", command.split(" "), options);
    if (exitCode === 0 && command !== "update") return undefined;
    said = `\`apt-get ${command}\` failed:\n${lastLines(output)}`;
  }
  return said;
}

function whatToDo() {
  const places = candidates().map(({ path }) => `  ${path}`);
  return (
    "No Chromium, Chrome or Edge was found, and none could be installed. Do one of these:\n" +
    "  npx playwright install chromium                         where playwright.dev can be reached\n" +
    "  sudo apt-get install chromium chromium-headless-shell   on Debian\n" +
    "  BROWSE_CHROMIUM=/path/to/chrome …                       for one that is somewhere else\n" +
    `Looked at:\n${places.join("\n")}`
  );
}
