export interface RunOptions {
  /** Told every ten seconds that it still runs. */
  say: (text: string) => void;
  cwd?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Default `process.env`. */
  env?: NodeJS.ProcessEnv;
}

/** Resolves when the program has ended; `exitCode` is a word when a signal ended it or it did not start. */
export function runProgram(
  program: string,
  argv: readonly string[],
  options: RunOptions,
): Promise<{ exitCode: number | string; output: string }>;

/** The end of what a program said, where its reason stands. */
export function lastLines(output: string): string;
