/**
 * The command line client. It sends its arguments to the project's daemon, starts one when there is none, and prints
 * the answer. It knows no commands: the daemon parses, so the two cannot disagree. Bundled to `dist/browse.mjs`.
 */
import { fstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as Ask from "./ask.ts";
import { readArguments } from "./cli/arguments.ts";
import { type DaemonSource, type Exchange, openExchange, type Reply } from "./cli/exchange.ts";
import { EXIT_CODES, Failure } from "./cli/failure.ts";
import { type Project, projectOf } from "./cli/project.ts";
import { projectSource } from "./cli/source.ts";
import { print, printProgress, readInput } from "./cli/terminal.ts";
import type * as Given from "./given.ts";
import type * as Lifecycle from "./lifecycle.ts";
import type * as Repl from "./repl.ts";
import type * as Resume from "./resume.ts";

/** Set by the build; absent when the source is run as it is. */
declare const __BROWSE_VERSION__: string;

const here = import.meta.dirname;
// Asked for twice, since only so the build leaves out what the bundle never does.
const version = typeof __BROWSE_VERSION__ === "undefined" ? versionOf("../package.json") : __BROWSE_VERSION__;
const script = join(here, typeof __BROWSE_VERSION__ === "undefined" ? "../daemon.ts" : "daemon.mjs");
const ending = typeof __BROWSE_VERSION__ === "undefined" ? "ts" : "mjs";
const { env } = process;
const argv = process.argv.slice(2);
const isJson = argv.includes("--json");

type Arguments = ReturnType<typeof readArguments>;
type Run = (words: readonly string[], stdin?: string) => Promise<number>;

async function main(): Promise<number> {
  const own = readArguments(argv);
  const { command, globals, limitMs } = own;
  if (command === "version" || (!command && globals.includes("--version"))) return answer(version, { version });
  const project = projectOf(process.cwd(), env);
  const isGiven = !!env.BROWSE_URL;
  const source = isGiven ? (await part<typeof Given>("given")).givenSource(env) : sourceOf(project, own);
  const stdin = own.readsInput || (own.takesPipe && isPiped()) ? await readInput() : undefined;
  const sent = env.BROWSE_RESUME
    ? (await part<typeof Resume>("resume")).resume(env, source, limitMs, nameOf(argv))
    : undefined;
  const exchange: Exchange = openExchange({
    clientId: `${process.pid}-${Date.now()}-${Math.random().toString(36).slice(2)}`,
    source,
    limitMs,
    warn,
    notice: (method, params) =>
      method === "ask"
        ? void part<typeof Ask>("ask")
            .then((ask) => ask.askPerson(params.question))
            .then(exchange.reply, exchange.reply)
        : show(method, params),
    ...sent,
  });
  listenToSignals(exchange);
  const run: Run = async (words, input) => {
    const ask = () => exchange.call("cli.exec", request(words, input), nameOf(words));
    const { command: name, isHelp } = readArguments(words);
    if (isGiven || isHelp || (name !== "stop" && name !== "restart")) return printed(await ask());
    return printed(await (await lifecycle()).endDaemon(project, { name, script, isJson, ask }));
  };
  if (command !== "repl" && command !== "-") return await run(argv, stdin);
  return await (await part<typeof Repl>("repl")).runLines(globals, run, complain, exchange);
}

/** What a command line is called where it got lost. */
function nameOf(words: readonly string[]): string {
  return `browse ${words.join(" ").slice(0, 200)}`;
}

function sourceOf(project: Project, { mayStart, takesAnyVersion }: Arguments): DaemonSource {
  return projectSource(project, {
    start: async (of, except) => await (await lifecycle()).startDaemon(of, { script, except }),
    version: takesAnyVersion ? "" : version,
    mayStart,
  });
}

/** Something is at the other end of standard input, which a terminal and /dev/null never end with a text. */
function isPiped(): boolean {
  const input = fstatSync(0);
  return input.isFIFO() || input.isFile() || input.isSocket();
}

function lifecycle(): Promise<typeof Lifecycle> {
  return part("lifecycle");
}

/** A part of the client that few commands need. */
function part<Part>(name: string): Promise<Part> {
  const file = `./${name}.${ending}`;
  return import(file);
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
  const { kind, message, hint } = error as Failure;
  // By its shape: a module that is loaded later has a class of its own.
  if (hint === undefined) throw error;
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

void main()
  .catch(complain)
  .then((exitCode) => process.exit(exitCode));
