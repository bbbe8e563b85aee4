/** Many commands over one connection, a line each: `browse repl` and `browse -`. Bundled to `dist/repl.mjs`. */
import { createInterface, type Interface } from "node:readline";
import type { CompleteResult } from "../rpc/protocol.ts";
import { splitWords } from "../wording.ts";
import type { Exchange } from "./cli/exchange.ts";
import { Failure } from "./cli/failure.ts";

/** Runs one command line; gives its exit code. */
type Run = (words: readonly string[]) => Promise<number>;

const PROMPT = "browse> ";
/** Kept in memory alone: lines hold what is typed into fields. */
const HISTORY_LINES = 1_000;

/** Runs one command a line until the input or the person ends it; gives the exit code of the last that failed. */
export async function runLines(
  globals: readonly string[],
  run: Run,
  complain: (error: unknown) => number,
  exchange: Exchange,
): Promise<number> {
  let exitCode = 0;
  for await (const line of process.stdin.isTTY ? typedLines(globals, exchange) : inputLines()) {
    try {
      const words = withoutOwnName(wordsOf(line));
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

/** Throws `Failure` for a quote that is never closed. */
function wordsOf(line: string): string[] {
  const { lines, unclosed } = splitWords(line);
  if (unclosed === undefined) return lines[0] ?? [];
  throw new Failure(`The ${unclosed[0]} is never closed`, "Close it, or put a backslash before it", "invalid_params");
}

/** Lines are often copied as a shell has them: hints and examples are. */
function withoutOwnName(words: string[]): string[] {
  return words[0] === "browse" ? words.slice(1) : words;
}

/** The lines of standard input as they come. */
async function* inputLines(): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of process.stdin.setEncoding("utf8")) {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

/** What a person types, with a prompt, a history, and completion by Tab. While a command runs, the terminal is its own. */
async function* typedLines(globals: readonly string[], exchange: Exchange): AsyncGenerator<string> {
  const { stdin: input, stderr: output } = process;
  const editor = createInterface({
    input,
    output,
    prompt: PROMPT,
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
    completer: (line: string, done: (error: null, found: [string[], string]) => void) =>
      void completed([...globals, line].join(" "), exchange).then((found) => done(null, found)),
  });
  // What is typed while a command runs ends in LF: within a tenth of a second that counts as the rest of the CR before it.
  Object.assign(editor, { crlfDelay: -1 });
  editor.on("SIGINT", () => clearOrEnd(editor));
  editor.prompt();
  for await (const line of editor) {
    editor.pause();
    input.setRawMode(false);
    yield line;
    input.setRawMode(true);
    // With the beginning of a line that was typed meanwhile.
    editor.prompt(true);
  }
  output.write("\n");
}

/** What the last word before the cursor may become; nothing where the daemon does not say. */
async function completed(line: string, exchange: Exchange): Promise<[words: string[], word: string]> {
  const word = line.split(/\s/).at(-1) ?? "";
  const { result } = await exchange.call("cli.complete", { line }, "completion").catch(() => ({ result: undefined }));
  const { words } = (result ?? { words: [] }) as CompleteResult;
  return [words.map((each) => `${each} `), word];
}

/** Ctrl-C gives up what is typed, and where nothing is, the whole. */
function clearOrEnd(editor: Interface): void {
  if (editor.line === "") editor.close();
  else for (const name of ["e", "u"]) editor.write(null, { ctrl: true, name });
}
