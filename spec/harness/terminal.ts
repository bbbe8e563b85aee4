/** A person at a terminal: the real client, on a terminal of its own. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { clientIn } from "./client.ts";

export const hasTerminals = (() => {
  try {
    execFileSync("script", ["--version"]);
    return true;
  } catch {
    return false;
  }
})();

/** Types `answer`, or the next of several, whenever the command line asks for one. Gives all that was shown. */
export async function answerAtTerminal(
  argv: readonly string[],
  answer: string | readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<string> {
  const answers = [answer].flat();
  const total = answers.length;
  const command = [...clientIn(), ...argv].join(" ");
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd, env: { ...process.env, ...env } });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    const asked = shown.split("[y/N]").length - 1;
    for (const next of answers.splice(0, asked + answers.length - total)) child.stdin.write(`${next}\n`);
    if (answers.length === 0) child.stdin.end();
  });
  await once(child, "close");
  return shown;
}
