/** Many commands over one connection, a line each: `browse repl` and `browse -`. Bundled to `dist/repl.mjs`. */
import { Failure } from "./cli/failure.ts";
import { print } from "./cli/terminal.ts";
import { wordsOf } from "./cli/words.ts";

/** Runs one command line; gives its exit code. */
type Run = (words: readonly string[]) => Promise<number>;

/** Runs one command a line until the input or the person ends it; gives the exit code of the last that failed. */
export async function runLines(
  globals: readonly string[],
  run: Run,
  complain: (error: unknown) => number,
): Promise<number> {
  let exitCode = 0;
  for await (const line of inputLines()) {
    try {
      const words = wordsOf(line);
      if (words[0] === "exit" || words[0] === "quit") break;
      if (words.includes("-")) {
        throw new Failure(
          "`-` cannot read here: standard input holds the commands",
          "Give the text as an argument",
          "invalid_params",
        );
      }
      if (words.length > 0) exitCode = (await run([...globals, ...words])) || exitCode;
    } catch (error) {
      exitCode = complain(error);
    }
  }
  return exitCode;
}

/** The lines of standard input as they come, with a prompt before each where a person types. */
async function* inputLines(): AsyncGenerator<string> {
  const prompt = () => void (process.stdin.isTTY && print(2, "browse> "));
  let rest = "";
  prompt();
  for await (const piece of process.stdin.setEncoding("utf8")) {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      yield line;
      prompt();
    }
  }
  yield rest;
}
