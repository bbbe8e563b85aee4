/**
 * `npm test`: every gate, then every test, two files at a time. Goes on after a failure, so that one run tells all there is
 * to mend. With arguments (`npm test -- spec/rpc`), only the tests that match them; with `--changed [revision]`, only the
 * test files that depend on what has changed since then, or is not committed.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copySdk } from "./bundled_sdk.ts";

const root = join(import.meta.dirname, "..");
const packages = join(root, "node_modules");

interface Count {
  passed: number;
  failed: number;
}

interface Gate {
  name: string;
  /** A script and its arguments, run by this Node. */
  argv: string[];
}

/** What Vitest's JSON report says, as far as it is read here. */
interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: unknown[] }[];
}

const sources = [...readdirSync(root).filter((name) => /\.ts$/.test(name)), ...sourceFolders()];
const GATES: Gate[] = [
  { name: "types", argv: [join(packages, "typescript/bin/tsc"), "-p", "."] },
  { name: "style", argv: [join(packages, "@biomejs/biome/bin/biome"), "check"] },
  {
    name: "imports",
    argv: [
      join(packages, "dependency-cruiser/bin/dependency-cruiser.mjs"),
      "--config",
      ".dependency-cruiser.mjs",
      ...sources,
    ],
  },
  { name: "generated docs", argv: ["bin/docs.ts", "--check"] },
  { name: "unused code", argv: [join(packages, "knip/bin/knip.js"), "--no-progress"] },
];

function sourceFolders(): string[] {
  const folders = ["bin", "browser", "commands", "refs", "rpc", "security", "skills", "spec", "bench", "campaign"];
  return folders.filter((name) => existsSync(join(root, name)));
}

/** Runs one gate; what it prints is shown only when it fails. */
async function runGate({ name, argv }: Gate): Promise<Count> {
  const startMs = performance.now();
  let output = "";
  const exitCode = await run(argv, (text) => {
    output += text;
  });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`${exitCode === 0 ? "ok" : "FAILED"}  ${name} (${seconds} s)`);
  if (exitCode !== 0) console.log(output.trimEnd());
  return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** Runs the tests that Vitest's arguments choose; all of them when there are none. */
async function runTests(choice: readonly string[]): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), "browse-report-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  try {
    const exitCode = await run([join(packages, "vitest/vitest.mjs"), "run", ...reporters, ...choice]);
    const count = existsSync(report) ? countOf(JSON.parse(readFileSync(report, "utf8"))) : { passed: 0, failed: 1 };
    // What fails outside of any test, such as a process left behind, fails the run too.
    return exitCode !== 0 && count.failed === 0 ? { ...count, failed: 1 } : count;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function countOf({ numPassedTests, numFailedTests, testResults }: Report): Count {
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numFailedTests + broken.length };
}

/** Runs a script under this Node; its output goes to `take`, or straight to ours. */
function run(argv: readonly string[], take?: (text: string) => void): Promise<number> {
  const stdio = take ? "pipe" : "inherit";
  const child = spawn(process.execPath, argv, { cwd: root, stdio: ["ignore", stdio, stdio] });
  child.stdout?.setEncoding("utf8").on("data", (text: string) => take?.(text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => take?.(text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (exitCode) => resolve(exitCode ?? 1));
  });
}

async function runAll(): Promise<Count[]> {
  // The scripts of skills take its types from there.
  copySdk();
  const counts: Count[] = [];
  for (const gate of GATES) counts.push(await runGate(gate));
  return [...counts, await runTests([])];
}

/** With `--changed` first, the files that it chooses; the words after it go on to Vitest. */
async function runChanged([revision = "HEAD", ...rest]: readonly string[]): Promise<Count[]> {
  const { affectedBy } = await import("./test/affected.ts");
  const { changed, tests, total } = affectedBy(revision);
  console.log(`${changed.length} files differ from ${revision}; ${tests.length} of ${total} test files depend on them`);
  for (const { file, why } of tests) console.log(`  ${file}: ${why}`);
  return tests.length === 0 ? [] : [await runTests([...tests.map(({ file }) => file), ...rest])];
}

async function runChosen(argv: readonly string[]): Promise<Count[]> {
  if (argv.length === 0) return await runAll();
  return argv[0] === "--changed" ? await runChanged(argv.slice(1)) : [await runTests(argv)];
}

const counts = await runChosen(process.argv.slice(2));
const passed = counts.reduce((sum, count) => sum + count.passed, 0);
const failed = counts.reduce((sum, count) => sum + count.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
