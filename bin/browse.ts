/**
 * The command line client. It sends its arguments to the project's daemon, starts one when there is none, and prints
 * the answer. It knows no commands: the daemon parses, so the two cannot disagree. Bundled to `dist/browse.mjs`.
 */
import { fstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readArguments } from "./cli/arguments.ts";
import { type DaemonSource, type Exchange, openExchange, type Reply } from "./cli/exchange.ts";
import { EXIT_CODES, Failure } from "./cli/failure.ts";
import { givenDaemon, projectOf } from "./cli/project.ts";
import { givenSource, projectSource } from "./cli/source.ts";
import { askPerson, inputLines, print, printProgress, readInput } from "./cli/terminal.ts";
import { wordsOf } from "./cli/words.ts";

/** Set by the build; absent when the source is run as it is. */
declare const __BROWSE_VERSION__: string;

const here = import.meta.dirname;
// Asked for twice, since only so the build leaves out what the bundle never does.
const version = typeof __BROWSE_VERSION__ === "undefined" ? versionOf("../package.json") : __BROWSE_VERSION__;
const script = join(here, typeof __BROWSE_VERSION__ === "undefined" ? "../daemon.ts" : "daemon.mjs");
const { env } = process;
const argv = process.argv.slice(2);
const isJson = argv.includes("--json");

type Arguments = ReturnType<typeof readArguments>;
type Run = (words: readonly string[], stdin?: string) => Promise<number>;

async function main(): Promise<number> {
  const own = readArguments(argv);
  const { command, globals, readsInput } = own;
  if (!command && globals.includes("--version")) return answer(version, { version });
  const source = sourceFor(own);
  // The result of `stop` names the process that ends, which 0 never is.
  if (command === "stop" && !source.find()) return answer("No daemon is running", { pid: null });
  const stdin = readsInput ? await readInput() : undefined;
  const exchange: Exchange = openExchange({
    clientId: `${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}`,
    source,
    warn,
    notice: (method, params) =>
      method === "ask" ? askPerson(params.question as string, exchange.reply) : show(method, params),
  });
  // Not before the call is under way: it costs a millisecond.
  setImmediate(listenToSignals, exchange);
  const run: Run = async (words, input) => {
    const what = `browse ${words.join(" ").slice(0, 200)}`;
    return printed(await exchange.call("cli.exec", request(words, input), what));
  };
  return command === "repl" || command === "-" ? await runLines(globals, run) : await run(argv, stdin);
}

/** Runs one command a line until the input or the person ends it; gives the exit code of the last that failed. */
async function runLines(globals: readonly string[], run: Run): Promise<number> {
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

function sourceFor({ mayStart, takesAnyVersion }: Arguments): DaemonSource {
  const given = givenDaemon(env);
  if (given) return givenSource(given);
  return projectSource(projectOf(process.cwd(), env), {
    script,
    version: takesAnyVersion ? "" : version,
    mayStart,
  });
}

function request(words: readonly string[], stdin: string | undefined): object {
  // Asking whether stdout is a terminal loads streams, which is not worth it for a file or pipe.
  const tty = fstatSync(1).isCharacterDevice() && process.stdout.isTTY === true;
  return {
    argv: words,
    cwd: process.cwd(),
    stdin,
    tty: tty && !env.NO_COLOR,
    columns: tty ? process.stdout.columns : undefined,
    session: env.BROWSE_SESSION || undefined,
    version,
  };
}

/** Shows what arrives while a call runs. */
function show(method: string, { text, stream, message, done, total, unit = "" }: Record<string, unknown>): void {
  if (method === "output") print(stream === "stderr" ? 2 : 1, `${text}`);
  else if (method === "log") warn(`${message}`);
  else if (method === "progress") printProgress(`${done}${total ? ` of ${total}` : ""} ${unit}`);
}

function printed({ result, error }: Reply): number {
  if (error) {
    const { kind = "internal", hint = "Run `browse doctor`" } = error.data ?? {};
    return complain(new Failure(error.message, hint, kind));
  }
  const { stdout, stderr, exitCode } = result as { stdout: string; stderr: string; exitCode: number };
  print(2, stderr);
  print(1, stdout);
  return exitCode;
}

/** Prints what the client itself can tell, as the daemon does: text, or the typed result. */
function answer(text: string, result: object): number {
  print(1, `${isJson ? JSON.stringify(result) : text}\n`);
  return 0;
}

/** Says what went wrong as the daemon does: text, or one line of JSON for a program. */
function complain(error: unknown): number {
  if (!(error instanceof Failure)) throw error;
  const { kind, message, hint } = error;
  const hintLine = argv.includes("--quiet") ? "" : `\nHint: ${hint}`;
  warn(isJson ? JSON.stringify({ error: { kind, hint, message } }) : `Error: ${message}${hintLine}`);
  return EXIT_CODES[kind] ?? 1;
}

function warn(text: string): void {
  print(2, `${text}\n`);
}

function listenToSignals(exchange: Exchange): void {
  for (const [signal, exitCode] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.once(signal, () => exchange.cancel(() => process.exit(exitCode)));
  }
}

function versionOf(manifest: string): string {
  return (JSON.parse(readFileSync(join(here, manifest), "utf8")) as { version: string }).version;
}

main()
  .catch(complain)
  .then((exitCode) => process.exit(exitCode));
