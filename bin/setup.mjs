/**
 * Makes a fresh clone ready: packages, a browser, the built client. Plain JavaScript that runs on Node 20 with nothing
 * installed, quick when there is nothing to do, and safe to run again after anything.
 *
 *     node bin/setup.mjs [--run script.ts arguments…]
 *
 * With `--run` the script then runs under the Node that the project pins, which runs TypeScript as it is.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findChromium } from "../browser/install/find_chromium.mjs";
import { installChromium } from "../browser/install/install_chromium.mjs";
import { lastLines, runProgram } from "../browser/install/run_program.mjs";

const NODE_MAJOR = 20;

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const inRoot = (/** @type {string[]} */ ...parts) => path.join(root, ...parts);
const isWindows = process.platform === "win32";
const pinnedNode = inRoot("node_modules/node/bin", isWindows ? "node.exe" : "node");

/** What a person can act on; shown without a stack. */
class SetupError extends Error {}

async function main() {
  const node = process.versions.node;
  if (Number.parseInt(node, 10) < NODE_MAJOR) {
    throw new SetupError(
      `Setup needs Node ${NODE_MAJOR} or newer to begin with; this is ${node}. See https://nodejs.org`,
    );
  }
  const [flag, script, ...rest] = process.argv.slice(2);
  if (flag !== undefined && (flag !== "--run" || script === undefined)) {
    throw new SetupError("Usage: node bin/setup.mjs [--run script.ts arguments…]");
  }
  await ensurePackages();
  await ensureBrowser();
  // A build that is asked for need not be made twice.
  if (script !== "bin/build.ts") await ensureBuilt();
  if (script !== undefined) process.exitCode = await runScript(script, rest);
}

async function ensurePackages() {
  const lock = readFileSync(inRoot("package-lock.json"), "utf8");
  const hash = createHash("sha256").update(lock).digest("hex");
  const mark = inRoot("node_modules/.browse-setup");
  if (existsSync(pinnedNode) && readText(mark) === hash) return;
  if (!existsSync(pinnedNode) || !isInstalled(JSON.parse(lock))) {
    await installPackages();
    await checkPinnedNode();
  }
  writeFileSync(mark, hash);
}

async function installPackages() {
  say("Installing packages with npm (about a minute)");
  const npm = isWindows ? "npm.cmd" : "npm";
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error"];
  const clean = await run(npm, ["ci", ...quiet]);
  if (clean.exitCode === 0) return;
  // `npm ci` refuses a lock file without the packages of platforms that a mirror does not carry; `npm install` does not.
  const { exitCode, output } = await run(npm, ["install", "--no-save", ...quiet]);
  if (exitCode === 0) return;
  throw new SetupError(
    `\`npm ci\` failed:\n${lastLines(clean.output)}\n\n\`npm install\` failed:\n${lastLines(output)}\n\n` +
      "Check the network and npm's registry setting, then run it again",
  );
}

/**
 * Does `node_modules` hold what the lock file asks for? True after an `npm ci` that somebody ran by hand.
 * @param {{ packages: Record<string, { version?: string, optional?: boolean }> }} lock
 */
function isInstalled(lock) {
  const text = readText(inRoot("node_modules/.package-lock.json"));
  if (text === undefined) return false;
  const { packages } = JSON.parse(text);
  return Object.entries(lock.packages).every(
    ([name, { version, optional }]) => name === "" || optional || packages[name]?.version === version,
  );
}

/** The npm package `node` downloads its binary in an install script, which can be switched off or fail quietly. */
async function checkPinnedNode() {
  const { exitCode, output } = existsSync(pinnedNode)
    ? await run(pinnedNode, ["--version"])
    : { exitCode: 1, output: "it is not there" };
  if (exitCode === 0) return;
  throw new SetupError(
    `The pinned Node "${pinnedNode}" does not run: ${output.trim()}\n` +
      "Run `npm rebuild node --ignore-scripts=false` and try again",
  );
}

async function ensureBrowser() {
  const found = findChromium({ playwrightPath: await playwrightPath() });
  if (found) return;
  const { BROWSE_CHROMIUM } = process.env;
  if (BROWSE_CHROMIUM) throw new SetupError(`BROWSE_CHROMIUM names "${BROWSE_CHROMIUM}", which is not there`);
  const result = await installChromium({
    node: pinnedNode,
    playwrightCli: inRoot("node_modules/playwright/cli.js"),
    find: async () => findChromium({ playwrightPath: await playwrightPath() }),
    say,
  });
  if ("failure" in result) throw new SetupError(result.failure);
  say("Installed a browser");
}

/** Where Playwright's own Chromium would be. Loading Playwright to ask takes long, so not where nothing was downloaded. */
async function playwrightPath() {
  const { PLAYWRIGHT_BROWSERS_PATH, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const cache = {
    darwin: path.join(homedir(), "Library/Caches"),
    win32: LOCALAPPDATA ?? path.join(homedir(), "AppData/Local"),
  }[/** @type {string} */ (process.platform)];
  const folder =
    PLAYWRIGHT_BROWSERS_PATH ?? path.join(cache ?? XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "ms-playwright");
  const isLocal = folder === "0";
  if (!isLocal && !(existsSync(folder) && readdirSync(folder).some((name) => name.startsWith("chromium-"))))
    return undefined;
  const { chromium } = await import("playwright");
  return chromium.executablePath();
}

async function ensureBuilt() {
  const built = ["browse.mjs", "daemon.mjs", "daemon_main.mjs", "client.mjs", "help.json"].map((name) =>
    modifiedMs(inRoot("dist", name)),
  );
  if (Math.min(...built) > newestSourceMs()) return;
  say("Building the client");
  const { exitCode, output } = await run(pinnedNode, [inRoot("bin/build.ts")]);
  if (exitCode !== 0) throw new SetupError(`The build failed:\n${output}`);
}

/** When the newest file that goes into the build was changed. */
function newestSourceMs() {
  const folders = ["bin", "browser", "commands", "refs", "rpc", "security", "skills"];
  const files = ["daemon.ts", "client.ts", "package.json", "package-lock.json"].map((name) => inRoot(name));
  for (const folder of folders.filter((name) => existsSync(inRoot(name)))) {
    for (const name of readdirSync(inRoot(folder), { recursive: true, encoding: "utf8" })) {
      if (/\.m?ts$|\.mjs$/.test(name)) files.push(inRoot(folder, name));
    }
  }
  return Math.max(...files.map(modifiedMs));
}

/**
 * Runs a script of the project with this process's own terminal, and ends as it ended.
 * @param {string} script
 * @param {string[]} rest
 * @returns {Promise<number>}
 */
function runScript(script, rest) {
  const child = spawn(pinnedNode, [script, ...rest], { stdio: "inherit", cwd: root });
  const signals = /** @type {NodeJS.Signals[]} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  // A terminal sends Ctrl-C to both of us; what is sent to us alone has to be passed on.
  for (const signal of signals) {
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (exitCode, signal) => {
      for (const name of signals) process.removeAllListeners(name);
      if (signal) process.kill(process.pid, signal);
      else resolve(exitCode ?? 1);
    });
  });
}

/**
 * @param {string} program
 * @param {string[]} argv
 */
function run(program, argv) {
  return runProgram(program, argv, { say, cwd: root });
}

/** @param {string} file */
function readText(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** @param {string} file */
function modifiedMs(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** @param {string} text */
function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

main().catch((error) => {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`setup: ${error.message}\n`);
  process.exitCode = 1;
});
