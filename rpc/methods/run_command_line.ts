/** Runs one command line for the CLI, which knows no commands: argv in, text out. */
import { findCommand } from "../../commands/command.ts";
import { type BrowseError, forCommand, toBrowseError } from "../../errors.ts";
import { newMark } from "../../security/content/page_mark.ts";
import { eventJson, eventLine, type RenderEvent } from "../events/event_text.ts";
import type { Caller, CallNotify, CallOptions, Dispatch, FollowEnd, FollowParams } from "../gate/call.ts";
import { type ParsedArgv, parseArgv, parseGlobalFlags } from "../line/argv.ts";
import type { GlobalFlags } from "../line/global_flags.ts";
import { printingOf } from "../line/print.ts";
import { splitArgv } from "../line/split_argv.ts";
import { printable, printableJson } from "../line/terminal.ts";
import type { CliExecParams, CliExecResult } from "../protocol.ts";

/** Who asks, and where what comes before the answer goes. */
interface CliCall {
  caller: Caller;
  /** Where the command line names none. */
  session: string | undefined;
  signal: AbortSignal;
  notify: CallNotify;
  endWithCaller: () => void;
  ask: (question: string) => Promise<string | undefined>;
  output: (stream: "stdout" | "stderr", text: string) => void;
  /** Streams events to the caller, each as `render` writes it, until the daemon ends. */
  follow: (params: FollowParams, render: RenderEvent) => Promise<FollowEnd>;
}

/** Never rejects: what went wrong is in `stderr` and `exitCode`. */
export type CliExec = (params: CliExecParams, call: CliCall) => Promise<CliExecResult>;

export interface CliExecPorts {
  dispatch: Dispatch;
  /** Of the daemon. */
  version: string;
  helpFor: (name: string) => string;
  helpOverview: () => string;
  /** Throws when `--headed` or `--proxy` asks for another browser than the one that runs. */
  checkLaunch: (wanted: { headed?: boolean; proxy?: string }) => void;
  log: (level: "error", message: string, cause?: unknown) => void;
}

export function makeCliExec(ports: CliExecPorts): CliExec {
  return async (params, call) => {
    try {
      const help = helpOrVersion(ports, params.argv);
      return help === undefined ? await run(ports, params, call) : printed(help);
    } catch (thrown) {
      const error = forCommand(toBrowseError(thrown), nameIn(params.argv));
      if (error.kind === "internal") ports.log("error", "A command line failed", error.cause ?? error);
      return failed(error, params.argv);
    }
  };
}

/** The command that was typed, by its own name; a placeholder where none can be told. */
function nameIn(argv: readonly string[]): string {
  try {
    const { name = "" } = splitArgv(argv);
    return findCommand(name)?.spelling ?? "<command>";
  } catch {
    return "<command>";
  }
}

/** The text that needs no command to run; undefined when one is to be run. */
function helpOrVersion({ version, helpFor, helpOverview }: CliExecPorts, argv: readonly string[]): string | undefined {
  const { name, before, after } = splitArgv(argv);
  if (name === undefined) return parseGlobalFlags(before).version ? version : helpOverview();
  const words = [...before, ...(findCommand(name)?.cli?.raw && after.length > 1 ? [] : after)];
  const flags = words.slice(0, words.includes("--") ? words.indexOf("--") : words.length);
  if (flags.includes("--help") || flags.includes("-h")) return helpFor(name);
  return flags.includes("--version") ? version : undefined;
}

async function run(ports: CliExecPorts, params: CliExecParams, call: CliCall): Promise<CliExecResult> {
  const parsed = parseArgv(params.argv, params.stdin === undefined ? {} : { stdin: params.stdin });
  checkLaunch(ports, parsed.globals);
  const answer = await ports.dispatch(call.caller, parsed.command, parsed.params, optionsFor(parsed, call, params.tty));
  return printed(answer.text, answer.exitCode);
}

function checkLaunch(ports: CliExecPorts, { headed, proxy }: GlobalFlags): void {
  if (headed === undefined && proxy === undefined) return;
  ports.checkLaunch({ ...(headed !== undefined && { headed }), ...(proxy !== undefined && { proxy }) });
}

function optionsFor({ globals }: ParsedArgv, call: CliCall, isTerminal = false): CallOptions {
  const session = globals.session ?? call.session;
  return {
    signal: call.signal,
    endWithCaller: call.endWithCaller,
    notify: {
      ...call.notify,
      log: (level, message) => warn(call, level, message),
      ask: async (question) => await call.ask(printable(question)),
      print: (text) => call.output("stdout", printable(text)),
      follow: (events) => followMarked(call, events, renderingOf(globals, isTerminal), globals),
    },
    print: printingOf(globals),
    ...(session !== undefined && { session }),
    ...(globals.tab !== undefined && { tab: globals.tab }),
    ...(globals.timeoutMs !== undefined && { timeoutMs: globals.timeoutMs }),
    ...(globals.noSettle && { noSettle: true }),
    ...(globals.noChanges && { noChanges: true }),
    ...(globals.unsafe && { unsafe: true }),
    ...(globals.snapshot && { snapshot: globals.snapshot }),
  };
}

/** Lines of JSON say each by itself that they are not to be trusted. */
async function followMarked(call: CliCall, events: FollowParams, render: RenderEvent, { json }: GlobalFlags) {
  if (json) return await call.follow(events, render);
  const { open, close } = newMark();
  call.output("stdout", `${open}\n`);
  const end = await call.follow(events, render);
  call.output("stdout", `${close}\n`);
  return end;
}

function renderingOf({ json }: GlobalFlags, isTerminal: boolean): RenderEvent {
  return json ? eventJson : (told) => eventLine(told, { color: isTerminal });
}

function warn(call: CliCall, level: "debug" | "info" | "warning", message: string): void {
  if (level === "warning") call.output("stderr", `Warning: ${printable(message)}\n`);
  if (level === "info") call.output("stderr", `${printable(message)}\n`);
}

function printed(text: string, exitCode = 0): CliExecResult {
  return { stdout: text === "" || text.endsWith("\n") ? text : `${text}\n`, stderr: "", exitCode };
}

/** The command line may be what is wrong, so its flags are looked for, not parsed. */
function failed(error: BrowseError, argv: readonly string[]): CliExecResult {
  const { message, hint, data, exitCode } = error;
  if (argv.includes("--json")) {
    return { stdout: "", stderr: `${printableJson({ error: { ...data, message } })}\n`, exitCode };
  }
  const hintLine = argv.includes("--quiet") ? "" : `Hint: ${printable(hint)}\n`;
  return { stdout: "", stderr: `Error: ${printable(message)}\n${hintLine}`, exitCode };
}
