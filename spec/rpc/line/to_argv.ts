/** The command line that stands for a call: what `parseArgv` reads back as the same params. */
import type { Command } from "../../../commands/command.ts";
import { type ParamSyntax, type Syntax, syntaxOf } from "../../../rpc/line/syntax.ts";

/** The words after `browse`. */
export function toArgv(command: Command, params: Readonly<Record<string, unknown>>): string[] {
  const syntax = syntaxOf(command);
  const taken = takenByPosition(syntax, params, command.cli?.raw === true);
  const flags = [...syntax.params.values()]
    .filter((param) => !taken.includes(param) && params[param.name] !== undefined)
    .flatMap((param) => flagWords(param, params[param.name]));
  const words = taken.flatMap((param) => wordsOf(param, params[param.name]));
  if (command.cli?.raw) return [command.name, ...words];
  const needsEnd = words.some((word) => word.startsWith("-"));
  return [command.name, ...flags, ...(needsEnd ? ["--"] : []), ...words];
}

/** Positions are filled in order, so the first one that is absent leaves the later ones to their flags. */
function takenByPosition(syntax: Syntax, params: Readonly<Record<string, unknown>>, isRaw: boolean): ParamSyntax[] {
  const { positional, rest } = syntax;
  const slots = isRaw ? [] : positional;
  const gap = slots.findIndex((param) => !fitsOnePosition(param, params[param.name]));
  if (gap >= 0) return slots.slice(0, gap);
  const restValue = rest && params[rest.name];
  const isWritable = Array.isArray(restValue) ? restValue.length > 0 : restValue !== undefined;
  return rest && isWritable ? [...slots, rest] : [...slots];
}

function fitsOnePosition(param: ParamSyntax, value: unknown): boolean {
  return param.isList && Array.isArray(value) ? value.length === 1 : value !== undefined;
}

function flagWords(param: ParamSyntax, value: unknown): string[] {
  if (param.isList && Array.isArray(value)) return value.map((item) => `${param.flag}=${wordOf(item)}`);
  if (value === true) return [param.flag];
  if (value === false) return [`--no-${param.flag.slice(2)}`];
  return [`${param.flag}=${wordOf(value)}`];
}

function wordsOf(param: ParamSyntax, value: unknown): string[] {
  return param.isList && Array.isArray(value) ? value.map(wordOf) : [wordOf(value)];
}

function wordOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
