import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const SETUP = join(import.meta.dirname, "../../bin/setup.mjs");

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "browse-setup-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

interface Ended {
  stdout: string;
  stderr: string;
  exitCode: number | string;
}

function setup(argv: string[], { env = {}, onOutput = (_: () => void) => {} } = {}): Promise<Ended> {
  const child = spawn(process.execPath, [SETUP, ...argv], { env: { ...process.env, ...env } });
  const ended: Ended = { stdout: "", stderr: "", exitCode: "" };
  child.stdout.on("data", (text) => {
    ended.stdout += text;
    onOutput(() => child.kill("SIGTERM"));
  });
  child.stderr.on("data", (text) => {
    ended.stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ ...ended, exitCode: code ?? signal ?? "" }));
  });
}

function script(text: string): string {
  const path = join(dir, "script.ts");
  writeFileSync(path, text);
  return path;
}

test("in a clone that is ready it says nothing", async () => {
  await setup([]);
  expect(await setup([])).toEqual({ stdout: "", stderr: "", exitCode: 0 });
});

test("a script runs as TypeScript under the pinned Node, with its arguments, and its exit code is passed on", async () => {
  const path = script(
    "const [, , ...rest]: string[] = process.argv; console.log(process.version, rest); process.exit(7);",
  );
  const { stdout, exitCode } = await setup(["--run", path, "a", "b c"]);
  expect(stdout).toBe(`${process.version} [ 'a', 'b c' ]\n`);
  expect(exitCode).toBe(7);
});

test("a signal reaches the script, and setup ends as the script does", async () => {
  const path = script("console.log('up'); setInterval(() => {}, 1000);");
  expect(await setup(["--run", path], { onOutput: (kill) => kill() })).toMatchObject({ exitCode: "SIGTERM" });
});

test("a BROWSE_CHROMIUM that is not there is named", async () => {
  const answer = await setup([], { env: { BROWSE_CHROMIUM: "/nowhere/chrome" } });
  expect(answer).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('"/nowhere/chrome"') });
});

test("an argument it does not know is answered with how to use it", async () => {
  expect(await setup(["--frobnicate"])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("Usage:") });
});
