/** Runs what a skill's folder holds, with nothing but that folder to read: its test, and its parser. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { BrowseError } from "../../errors.ts";
import { sandboxed } from "../run/sandbox.ts";
import { STRIPPING, typeScriptProgram } from "../run/typescript_program.ts";
import { SCRIPT_FILE } from "../skill.ts";

const TIMEOUT_MS = 30_000;
const MAX_OUTPUT = 4_000_000;
const MAX_TOLD = 4_000;

/** Gives the script's `parse` each answer of the list on standard input, and writes what it made of them. */
const PARSER = `${STRIPPING}
const { parse } = await import(process.argv[1]);
if (typeof parse !== "function") throw new Error("script.ts exports no function parse");
let given = "";
process.stdin.setEncoding("utf8");
for await (const more of process.stdin) given += more;
process.stdout.write(JSON.stringify(await Promise.all(JSON.parse(given).map((answer) => parse(answer)))));
`;

interface StagedOptions {
  signal: AbortSignal;
}

/** What the skill's parser makes of answers of its read. Throws `skill_test_failed`. */
export async function parsedIn(
  dir: string,
  answers: readonly unknown[],
  { signal }: StagedOptions,
): Promise<unknown[]> {
  const program = ["--input-type=module", "--eval", PARSER, pathToFileURL(join(dir, SCRIPT_FILE)).href];
  const { exitCode, stdout, stderr } = await runIn(dir, program, { signal, input: JSON.stringify(answers) });
  if (exitCode !== 0) throw failed("The parser of the script fails", stderr);
  return JSON.parse(stdout) as unknown[];
}

/** Throws `skill_test_failed` with what the test printed. */
export async function testIn(dir: string, { signal }: StagedOptions): Promise<void> {
  const { exitCode, stdout, stderr } = await runIn(dir, typeScriptProgram(join(dir, "script.spec.ts")), {
    signal,
    input: "",
  });
  if (exitCode !== 0) throw failed("The test of the script fails", `${stdout}\n${stderr}`);
}

function failed(message: string, printed: string): BrowseError {
  return new BrowseError("skill_failed", message, {
    hint: "Change script.ts or script.spec.ts; what it printed is in the details",
    details: { printed: printed.trim().slice(-MAX_TOLD) },
  });
}

interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
}

async function runIn(
  dir: string,
  program: readonly string[],
  { signal, input }: StagedOptions & { input: string },
): Promise<Ended> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const { command, args, env, cwd } = sandboxed(dir, program);
  const child = spawn(command, args, { cwd, env, stdio: "pipe" });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const end = () => child.kill("SIGKILL");
  limited.addEventListener("abort", end, { once: true });
  child.once("error", reject).once("close", (code) => resolve(code ?? -1));
  // One that ends early does not read it.
  child.stdin.on("error", () => {}).end(input);
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      if (printed[name].length + text.length > MAX_OUTPUT) end();
      else printed[name] += text;
    });
  }
  try {
    const exitCode = await promise;
    signal.throwIfAborted();
    return { exitCode, ...printed };
  } finally {
    limited.removeEventListener("abort", end);
  }
}
