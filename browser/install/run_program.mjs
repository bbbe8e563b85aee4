/** Runs programs quietly, with a sign of life. Plain JavaScript: setup uses it before TypeScript can run. */
import { spawn } from "node:child_process";

const STILL_WORKING_EVERY_MS = 10_000;

/**
 * Runs a program to its end. What it prints is kept for a failure.
 * @type {typeof import("./run_program.mjs").runProgram}
 */
export function runProgram(program, argv, { say, cwd, timeoutMs, signal, env = process.env }) {
  const startMs = Date.now();
  const shell = program.endsWith(".cmd");
  const child = spawn(program, argv, {
    env,
    shell,
    stdio: ["ignore", "pipe", "pipe"],
    ...(cwd !== undefined && { cwd }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs }),
    ...(signal && { signal }),
  });
  let output = "";
  child.stdout?.on("data", (text) => (output += text));
  child.stderr?.on("data", (text) => (output += text));
  const still = setInterval(() => {
    say(`Still working (${Math.round((Date.now() - startMs) / 1000)} s)`);
  }, STILL_WORKING_EVERY_MS);
  /** @type {Promise<{ exitCode: number | string, output: string }>} */
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve({ exitCode: "not started", output: error.message }));
    child.on("close", (exitCode, ending) => resolve({ exitCode: exitCode ?? ending ?? 1, output }));
  });
  return ended.finally(() => clearInterval(still));
}

/** @type {typeof import("./run_program.mjs").lastLines} */
export function lastLines(output) {
  return output.trim().split("\n").slice(-8).join("\n");
}
