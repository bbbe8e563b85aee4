/** Where the command's name stands in a command line, and which command it is. */
import { type Command, commandNames, findCommand, verbsOf } from "../../commands/command.ts";
import { BrowseError } from "../../errors.ts";
import { nearest } from "../../wording.ts";
import { GLOBAL_FLAGS } from "./global_flags.ts";
import { habitNamed } from "./own_words.ts";
import { type ParamSyntax, syntaxOf } from "./syntax.ts";

/** The parts of a command line, before the command's syntax is applied. */
export interface SplitArgv {
  /** The command's name, `state.save` for what is typed as two words; undefined when there is none. */
  name?: string;
  before: readonly string[];
  after: readonly string[];
}

export const GLOBALS_BY_FLAG: ReadonlyMap<string, ParamSyntax> = new Map(
  GLOBAL_FLAGS.flatMap((flag) => [[flag.flag, flag], ...(flag.short ? [[`-${flag.short}`, flag]] : [])]) as [
    string,
    ParamSyntax,
  ][],
);

/** Finds where the command's name stands. Throws `invalid_params` for an unknown flag before it. */
export function splitArgv(argv: readonly string[]): SplitArgv {
  const split = splitAtName(argv);
  return split.name === undefined ? split : withVerb({ ...split, name: split.name });
}

/** Where the name is of a family such as `state`, the first word after it that is no flag belongs to the name. */
function withVerb(split: SplitArgv & { name: string }): SplitArgv {
  const { name, after } = split;
  const verbs = verbsOf(name);
  const flags = new Map([
    ...GLOBALS_BY_FLAG,
    ...[...verbs.values()].flatMap((command) => [...syntaxOf(command).flags]),
  ]);
  for (let index = 0; index < (verbs.size > 0 ? after.length : 0); index++) {
    const word = after[index] ?? "";
    if (word === "--") break;
    if (word.startsWith("-")) {
      const takesValue = flags.get(word)?.kinds.has("boolean") === false;
      if (takesValue) index++;
      continue;
    }
    const command = verbs.get(word);
    return command ? { ...split, name: command.name, after: after.toSpliced(index, 1) } : split;
  }
  return split;
}

function splitAtName(argv: readonly string[]): SplitArgv {
  for (let index = 0; index < argv.length; index++) {
    const token = argv[index] ?? "";
    if (token === "--") {
      const name = argv[index + 1];
      return { ...(name !== undefined && { name }), before: argv.slice(0, index + 1), after: argv.slice(index + 2) };
    }
    if (!token.startsWith("-") || token === "-") {
      return { name: token, before: argv.slice(0, index), after: argv.slice(index + 1) };
    }
    const flag = globalNamed(token);
    if (!flag.kinds.has("boolean") && !token.includes("=")) index++;
  }
  return { before: argv, after: [] };
}

/** The command of that name or alias. Throws `unknown_command` with the nearest name. */
export function commandNamed(name: string): Command {
  const command = findCommand(name);
  if (command) return command;
  const verbs = [...verbsOf(name).keys()];
  if (verbs.length > 0) throw verbMissing(name, verbs);
  const habit = habitNamed(name);
  const guess = nearest(name, commandNames());
  throw new BrowseError("unknown_command", `There is no command ${JSON.stringify(name)}`, {
    ...(guess !== undefined && { hint: `Did you mean "${guess}"?` }),
    ...(habit && { hint: `Write \`browse ${habit.own}\`` }),
  });
}

function verbMissing(name: string, verbs: readonly string[]): BrowseError {
  return new BrowseError(
    "invalid_params",
    `"${name}" is followed by ${verbs.slice(0, -1).join(", ")} or ${verbs.at(-1)}`,
    {
      hint: `Run \`browse help ${name}\` for what each does`,
      details: { command: name },
    },
  );
}

function globalNamed(token: string): ParamSyntax {
  const flag = GLOBALS_BY_FLAG.get(token.split("=", 1)[0]?.replace(/^--no-(?!start)/, "--") ?? "");
  if (flag) return flag;
  throw new BrowseError("invalid_params", `Unknown flag ${JSON.stringify(token)} before the command's name`, {
    hint: `Put a command's own flags after its name. Before it, ${GLOBAL_FLAGS.map(({ flag }) => flag).join(", ")} are accepted`,
    details: { flag: token },
  });
}
