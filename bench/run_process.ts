/** One process, run to its end. */
import { spawn } from "node:child_process";

export interface ProcessOptions {
  cwd: string;
  env?: NodeJS.ProcessEnv;
}

/** Its standard output; throws with what it said when it fails. */
export async function runProcess(command: readonly string[], { cwd, env }: ProcessOptions): Promise<string> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once("error", reject).once("close", resolve);
  const exitCode = await promise;
  if (exitCode !== 0) throw new Error(`"${command.join(" ")}" ended with ${exitCode}: ${(errors || output).trim()}`);
  return output;
}
