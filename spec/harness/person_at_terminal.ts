/** The client at a terminal of its own, where a person answers what it asks. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { clientIn } from "./client.ts";

export interface AtTerminal {
  cwd: string;
  env: Record<string, string>;
  /** Typed when it is asked for a yes. */
  answer: string;
}

/** All that the terminal showed. */
export async function atTerminal(argv: readonly string[], { cwd, env, answer }: AtTerminal): Promise<string> {
  const command = [...clientIn(), ...argv].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
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
