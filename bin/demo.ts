/**
 * `npm run demo [url] [--keep]`: drives a small shop, or looks at the page given, with the real command line client
 * and a daemon of its own. Nothing is left running afterwards unless `--keep` is given.
 */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { identityOf, isAlive } from "../security/process/process_identity.ts";
import { serveFolder } from "./demo/serve_folder.ts";
import { type Browse, shopTour } from "./demo/shop_tour.ts";

const LOOK_EVERY_MS = 20;

const root = join(import.meta.dirname, "..");
const words = process.argv.slice(2);
const keep = words.includes("--keep");
const url = words.find((word) => !word.startsWith("--"));
const project = mkdtempSync(join(tmpdir(), "browse-demo-"));

/** Runs one command as a person would, and shows what they would see. */
const browse: Browse = async (...argv) => {
  console.log(`\n$ browse ${argv.map(quoted).join(" ")}`);
  const started = performance.now();
  const { exitCode, output, errors } = await run(argv);
  const ms = Math.round(performance.now() - started);
  for (const line of `${output}${errors}`.trimEnd().split("\n")) console.log(`  ${line}`);
  console.log(`  (${ms} ms)`);
  if (exitCode !== 0) throw new Error(`browse ${argv[0]} ended with ${exitCode}`);
  return output;
};

async function run(argv: readonly string[]): Promise<{ exitCode: number; output: string; errors: string }> {
  const child = spawn(process.execPath, [join(root, "dist/browse.mjs"), ...argv], {
    cwd: project,
    env: { ...process.env, BROWSE_STATE_DIR: join(project, ".browse") },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.once("error", reject).once("close", (code) => resolve(code ?? 1));
  return { exitCode: await promise, output, errors };
}

function quoted(word: string): string {
  return /^[\w@:/.,=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Until the daemon is gone: it answers before it ends, and writes into its folder until then. */
async function stop(): Promise<void> {
  const state = join(project, ".browse/daemon.json");
  if (!existsSync(state)) return;
  const { pid } = JSON.parse(readFileSync(state, "utf8")) as { pid: number };
  const daemon = identityOf(pid);
  await run(["stop", "--no-start"]);
  while (daemon && isAlive(daemon)) await delay(LOOK_EVERY_MS);
}

/** Keeps the demo's image when its project goes. */
function keepImage(path: string): string {
  const folder = join(root, ".browse/demo");
  mkdirSync(folder, { recursive: true });
  const kept = join(folder, "shop.png");
  copyFileSync(path, kept);
  return kept;
}

async function demo(): Promise<void> {
  await using site = await serveFolder(join(root, "demo/site"));
  if (url) {
    await browse("goto", url);
    await browse("snapshot", "-i");
    return;
  }
  const image = await shopTour(browse, site.url, join(project, "shop.png"));
  console.log(`\nThe image is at ${keepImage(image)}`);
}

try {
  await demo();
  // The Node that this runs on: the one in the path may be too old.
  const command = `${relative(process.cwd(), process.execPath)} dist/browse.mjs`;
  console.log("\nTry next:");
  console.log("  npm run demo -- https://example.com    see another page the same way");
  console.log(`  ${command} goto localhost:3000 -i`);
  console.log(`  ${command} help    every command`);
} finally {
  if (keep) console.log(`\nThe daemon goes on in ${project}; end it there with \`browse stop\``);
  else {
    await stop();
    rmSync(project, { recursive: true, force: true });
  }
}
