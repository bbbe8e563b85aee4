/** A command line as a call: which command, with which params and global flags. Derived from the command's own schema. */
import { type Command, presetsOf, verbsOf } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";
import { ArgvReader } from "./argv_reader.ts";
import { valueFrom } from "./flag_values.ts";
import { type GlobalFlags, globalFlagsFrom } from "./global_flags.ts";
import { inOwnWords, type OwnWords } from "./own_words.ts";
import { parseParams } from "./params.ts";
import { snapshotFlags, snapshotTyped } from "./snapshot_after.ts";
import { commandNamed, GLOBALS_BY_FLAG, splitArgv } from "./split_argv.ts";
import { type ParamSyntax, type Syntax, syntaxOf, usageOf } from "./syntax.ts";

export interface ParsedArgv {
  /** The command's own name, whatever alias was typed. */
  command: string;
  params: Record<string, unknown>;
  globals: GlobalFlags;
}

export interface ArgvOptions {
  /** What `-` stands for. */
  stdin?: string;
}

/**
 * The call that `argv` asks for, also where it is written as other tools have it. Throws `unknown_command`, or
 * `invalid_params` in the words of a command line.
 */
export function parseArgv(argv: readonly string[], options: ArgvOptions = {}): ParsedArgv {
  const { name, before, after } = splitArgv(argv);
  if (name === undefined) throw new BrowseError("invalid_params", "No command is named", { hint: "Run `browse help`" });
  const words = [name, ...after];
  const taken = inOwnWords(words, "instead of ours");
  if (taken) return parseOwn([...before, ...ownOf(taken)], options);
  try {
    return parseOwn(argv, options);
  } catch (error) {
    const own = inOwnWords(words, "where ours do not fit");
    if (!own) throw error;
    return parseOwn([...before, ...ownOf(own, error)], options);
  }
}

/** Throws for what is only answered: the error of our own reading, with our spelling as its hint. */
function ownOf(reading: OwnWords, error?: unknown): string[] {
  if ("words" in reading) return reading.words;
  const { typed, own, because } = reading.habit;
  const hint = `Write \`browse ${reading.spelled}\`: ${because}`;
  if (!(error instanceof BrowseError))
    throw new BrowseError("invalid_params", `"${typed}" is spelled "${own}" here`, { hint });
  throw new BrowseError(error.kind, error.message, { hint, details: error.details });
}

/** Of a command line in browse's own words. */
function parseOwn(argv: readonly string[], options: ArgvOptions): ParsedArgv {
  const { name, before, after } = splitArgv(argv);
  if (name === undefined) throw new BrowseError("invalid_params", "No command is named", { hint: "Run `browse help`" });
  const command = commandNamed(name);
  const syntax = syntaxOf(command);
  const stdinFor = (param: ParamSyntax) => readStdin(command, param, options);
  const leading = new ArgvReader(command.spelling, leadingFlags(syntax), stdinFor);
  leading.read(before);
  const looking = snapshotFlags(command);
  const reader = new ArgvReader(command.spelling, new Map([...looking, ...flagsOf(syntax)]), stdinFor);
  const isRaw = command.cli?.raw === true;
  if (!isRaw) reader.read(before.at(-1) === "--" ? ["--", ...after] : after);
  const isOwn = (param: ParamSyntax) => syntax.params.get(param.name) === param;
  const globals = globalFlagsFrom(joined(leading.valuesOf(isGlobal), reader.valuesOf(isGlobal), GLOBALS_BY_FLAG));
  const own = joined(leading.valuesOf(isOwn), reader.valuesOf(isOwn), syntax.flags);
  takePositions(
    command,
    syntax,
    own,
    isRaw ? after.map((text) => ({ text, isLiteral: true })) : reader.positions,
    options,
  );
  takePiped(command, syntax, own, options);
  requireAll(command, syntax, own);
  const params = { ...presetsOf(name), ...Object.fromEntries(own) };
  const snapshot = snapshotTyped(reader.valuesOf((param) => looking.get(param.flag) === param));
  // Dispatch checks them too, but would name them as a program knows them, not as they were typed.
  parseParams(command, params, "argv");
  return { command: command.name, params, globals: snapshot ? { ...globals, snapshot } : globals };
}

/** The global flags of a command line that names no command. */
export function parseGlobalFlags(argv: readonly string[]): GlobalFlags {
  const reader = new ArgvReader("browse", GLOBALS_BY_FLAG, () => "");
  reader.read(argv);
  return globalFlagsFrom(reader.valuesOf(() => true));
}

/** A command's own flags, then the global ones; its own wins where both have one. */
function flagsOf({ flags }: Syntax): Map<string, ParamSyntax> {
  return new Map([...flags, ...[...GLOBALS_BY_FLAG].filter(([flag]) => !flags.has(flag))]);
}

/**
 * Before the command's name a flag that is both global and the command's own is the command's, if both take the same kind
 * of value: `--headed restart`, but `--session work storage`.
 */
function leadingFlags({ flags }: Syntax): Map<string, ParamSyntax> {
  const isSame = (own: ParamSyntax | undefined, global: ParamSyntax): own is ParamSyntax =>
    own !== undefined && own.kinds.has("boolean") === global.kinds.has("boolean");
  return new Map(
    [...GLOBALS_BY_FLAG].map(([flag, global]) => {
      const own = flags.get(flag);
      return [flag, isSame(own, global) ? own : global];
    }),
  );
}

function isGlobal(param: ParamSyntax): boolean {
  return GLOBALS_BY_FLAG.get(param.flag) === param;
}

/** Throws `invalid_params` for a flag that stands before the command's name and after it. */
function joined(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  flags: ReadonlyMap<string, ParamSyntax>,
): Map<string, unknown> {
  const twice = [...flags.values()].find(({ name }) => before.has(name) && after.has(name));
  if (!twice) return new Map([...before, ...after]);
  throw new BrowseError("invalid_params", `${twice.flag} is given twice`, { details: { flag: twice.flag } });
}

function readStdin(command: Command, param: ParamSyntax, { stdin }: ArgvOptions): string | undefined {
  if (command.cli?.stdin !== param.name) return undefined;
  if (stdin !== undefined) return stdin;
  throw new BrowseError("invalid_params", `${param.label} is "-", but nothing came on standard input`, {
    hint: `Pipe it: echo … | browse ${command.spelling} -`,
    details: { param: param.name },
  });
}

interface Position {
  text: string;
  /** Stood after `--`: `-` is no sign for standard input then. */
  isLiteral: boolean;
}

function takePositions(
  command: Command,
  syntax: Syntax,
  own: Map<string, unknown>,
  positions: readonly Position[],
  options: ArgvOptions,
): void {
  const words = positions.map(({ text }) => text);
  const placed = command.cli?.place?.(words, new Set(own.keys()));
  if (placed) {
    placeWords(command, placed, syntax, own, options);
    return;
  }
  const slots = syntax.positional.filter(({ name }) => !own.has(name));
  const rest: string[] = [];
  const stdinParam = syntax.params.get(command.cli?.stdin ?? "");
  for (const { text, isLiteral } of positions) {
    if (text === "-" && !isLiteral && stdinParam) {
      setOnce(own, stdinParam, valueFrom(readStdin(command, stdinParam, options) ?? "", stdinParam, stdinParam.label));
      if (slots[0] === stdinParam) slots.shift();
      continue;
    }
    const slot = slots.shift();
    if (slot) {
      const value = valueFrom(text, slot, slot.label);
      setOnce(own, slot, slot.isList ? [value] : value);
    } else if (syntax.rest) rest.push(text);
    else throw unexpected(command, text);
  }
  if (syntax.rest && rest.length > 0) setOnce(own, syntax.rest, restValue(syntax.rest, rest));
}

/** The command itself knows which word is which. */
function placeWords(
  command: Command,
  placed: Readonly<Record<string, string>>,
  syntax: Syntax,
  own: Map<string, unknown>,
  options: ArgvOptions,
): void {
  for (const [name, text] of Object.entries(placed)) {
    const param = syntax.params.get(name);
    if (!param) continue;
    const given = text === "-" ? readStdin(command, param, options) : undefined;
    setOnce(own, param, valueFrom(given ?? text, param, param.label));
  }
}

function restValue(param: ParamSyntax, texts: readonly string[]): unknown {
  if (param.isList) return texts.map((text) => valueFrom(text, param, param.label));
  return valueFrom(texts.join(" "), param, param.label);
}

function setOnce(own: Map<string, unknown>, param: ParamSyntax, value: unknown): void {
  if (own.has(param.name)) {
    throw new BrowseError("invalid_params", `${param.label} is given twice`, { details: { param: param.name } });
  }
  own.set(param.name, value);
}

/** What came on standard input unasked is the text of a command that nothing else was given to. */
function takePiped(
  command: Command,
  { params, positional }: Syntax,
  own: Map<string, unknown>,
  { stdin }: ArgvOptions,
) {
  const param = params.get(command.cli?.stdin ?? "");
  if (!param || !stdin || own.has(param.name) || positional.some(({ name }) => own.has(name))) return;
  own.set(param.name, valueFrom(stdin, param, param.label));
}

function requireAll(command: Command, syntax: Syntax, own: ReadonlyMap<string, unknown>): void {
  for (const param of syntax.params.values()) {
    if (!param.isRequired || own.has(param.name)) continue;
    throw new BrowseError("invalid_params", `Missing ${param.label}`, {
      hint: `Usage: ${usageOf(command)}`,
      details: { command: command.name, param: param.name },
    });
  }
}

function unexpected(command: Command, text: string): BrowseError {
  const typed = JSON.stringify(text.slice(0, 80));
  const verbs = [...verbsOf(command.name).keys()];
  const own =
    verbs.length === 0 ? undefined : `"${command.name}" is followed by ${verbs.join(", ")} or nothing, not ${typed}`;
  return new BrowseError("invalid_params", own ?? `Unexpected argument ${typed}`, {
    hint: `Usage: ${usageOf(command)}`,
    details: { command: command.name },
  });
}
