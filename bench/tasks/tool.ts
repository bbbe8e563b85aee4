/** A browser tool as an agent drives it: command lines, and what it reads of their answers. */
import type { Step, Target } from "./task.ts";

export interface Tool {
  name: string;
  /** Command lines that open the page; the last one's answer may show it. */
  open(url: string): string[][];
  /** `all`: texts too, not only what can be acted on. */
  look(all: boolean): string[];
  /** Undefined where the tool has no one command for it. */
  act(step: Step, ref: string, toRef?: string): string[] | undefined;
  /** The ref that an answer shows for the target. */
  refOf(shown: string, target: Target): string | undefined;
  /** What else an answer has, in a file that it names. */
  more?(answer: string): string | undefined;
  run(argv: readonly string[]): Promise<{ text: string; failed: boolean }>;
}

/** The first line with the role and name, in the row or card that is meant. */
export function refOnLine(shown: string, { role, name, within }: Target, pattern: RegExp): string | undefined {
  const lines = shown.split("\n");
  const fits = (line: string) => pattern.test(line) && role.test(line) && name.test(line);
  const beside = within && lines.find((line) => fits(line) && within.test(line.slice(line.search(name) + 1)));
  if (beside) return pattern.exec(beside)?.[1];
  const from = within ? lines.findIndex((line) => within.test(line)) : 0;
  if (from < 0) return undefined;
  const line = lines.slice(from).find(fits);
  return line === undefined ? undefined : pattern.exec(line)?.[1];
}
