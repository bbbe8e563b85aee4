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

/** Types `answer` when the command line asks for one. Gives all that was shown. */
export async function answerAtTerminal(
  argv: readonly string[],
  answer: string,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Promise<string> {
  const command = [...clientIn(), ...argv].join(" ");
  const child = spawn("script", ["-qec", command, "/dev/null"], { cwd, env: { ...process.env, ...env } });
  let shown = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const wasAsked = shown.includes("[y/N]");
    shown += text;
    if (!wasAsked && shown.includes("[y/N]")) child.stdin.end(`${answer}\n`);
  });
  await once(child, "close");
  return shown;
}
