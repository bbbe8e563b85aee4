/** Does a hint lead anywhere? */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Broken } from "./arena.ts";

export interface HintContext {
  /** Every command there is. */
  commands: ReadonlySet<string>;
  /** Processes of this project: nobody else's may be ended. */
  pids: ReadonlySet<number>;
}

/** What is wrong with what the user is told to do. */
export function misleading(stderr: string, { commands, pids }: HintContext): Broken[] {
  const broken: Broken[] = [];
  const hints = stderr.split("\n").filter((line) => line.startsWith("Hint: "));
  if (stderr.includes("Error: ") && hints.length === 0) {
    broken.push({ promise: "an error says what to do", seen: stderr });
  }
  for (const hint of hints) {
    for (const [, name = ""] of hint.matchAll(/`browse ([a-z][a-z0-9-]*)/g)) {
      if (!commands.has(name)) broken.push({ promise: "a hint names a command that exists", seen: hint });
    }
    for (const [, pid] of hint.matchAll(/\bkill (?:-\w+ )?(\d+)/g)) {
      if (!pids.has(Number(pid))) broken.push({ promise: "a hint ends nobody else's process", seen: hint });
    }
    for (const [, path = ""] of hint.matchAll(/["`\s](\/[^\s"`:]+)/g)) {
      const isThere = existsSync(path) || existsSync(dirname(path));
      if (!isThere) broken.push({ promise: "a hint names a path that exists", seen: hint });
    }
  }
  return broken;
}
