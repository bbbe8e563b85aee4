/**
 * The names of commands, their flags, and the values that flags take, for who types them: as scripts for shells, and word
 * by word for `browse repl`. From the registry.
 */
import { allCommands, type Command, findCommand, verbsOf } from "../../commands/command.ts";
import { GLOBAL_FLAGS } from "./global_flags.ts";
import { snapshotFlags } from "./snapshot_after.ts";
import { type SplitArgv, splitArgv } from "./split_argv.ts";
import { type ParamSyntax, syntaxOf } from "./syntax.ts";

type Shell = "bash" | "zsh" | "fish";

export function completionFor(shell: Shell): string {
  const makers: Record<Shell, (words: readonly FirstWord[]) => string> = { bash: forBash, zsh: forZsh, fish: forFish };
  return makers[shell](firstWords());
}

/** What a command line may begin with: a command, or all that are typed with that word before a verb. */
interface FirstWord {
  /** With its aliases. */
  names: string[];
  summary: string;
  flags: ParamSyntax[];
  /** What may come next, where that is listed. */
  next: string[];
}

function firstWords(): FirstWord[] {
  const families = Map.groupBy(allCommands(), ({ name }) => name.split(".", 1)[0] ?? name);
  return [...families].map(([word, members]) => {
    const own = findCommand(word);
    return {
      names: own ? namesOf(own) : [word],
      summary: own?.summary ?? members.map(({ summary }) => summary).join("; "),
      flags: distinct(members.flatMap(flagsOf)),
      next: nextWords(word, own),
    };
  });
}

function distinct(flags: readonly ParamSyntax[]): ParamSyntax[] {
  return [...new Map(flags.map((param) => [param.flag, param])).values()];
}

/** What the last word of a line may become; none where that is for the person to know. */
export function completionsOf(line: string): string[] {
  const typed = line.split(/\s+/);
  const current = typed.pop() ?? "";
  return wordsAfter(typed, current).filter((word) => word.startsWith(current));
}

function wordsAfter(typed: readonly string[], current: string): string[] {
  const { name, before, after } = splitTyped(typed.filter((word) => word !== ""));
  const command = name === undefined ? undefined : findCommand(name);
  if (name !== undefined && !command) return after.length === 0 ? nextWords(name, undefined) : [];
  const flags = command ? flagsOf(command) : GLOBAL_FLAGS;
  const last = (command ? after : before).at(-1);
  const named = flags.find(({ flag, short }) => last !== undefined && [flag, `-${short}`].includes(last));
  if (named && !named.kinds.has("boolean")) return valuesOf(named);
  if (current.startsWith("-")) return flags.map(({ flag }) => flag);
  if (!command) return firstWords().flatMap(({ names }) => names);
  return after.length === 0 ? nextWords(command.name, command) : [];
}

/** Of what is no command line yet, too. */
function splitTyped(words: readonly string[]): SplitArgv {
  try {
    return splitArgv(words);
  } catch {
    return { before: [], after: [] };
  }
}

/** Flags that a command takes by name, its own before the global ones. */
function flagsOf(command: Command): ParamSyntax[] {
  const own = [...syntaxOf(command).params.values()].filter(({ isPositional, isRest }) => !isPositional && !isRest);
  const taken = new Set(own.map(({ flag }) => flag));
  const looking = [...new Set(snapshotFlags(command).values())].filter(({ flag }) => !taken.has(flag));
  return [...own, ...looking, ...GLOBAL_FLAGS.filter(({ flag }) => !taken.has(flag))];
}

/** The listed values of a flag; none for flags that are only on or off. */
function valuesOf({ choices, kinds }: ParamSyntax): string[] {
  return kinds.has("boolean") ? [] : (choices ?? []).map(String);
}

/** What may follow the word, where that is listed: verbs, what the first argument takes, or the commands themselves. */
function nextWords(word: string, command: Command | undefined): string[] {
  if (word === "help") return distinctWords(allCommands().flatMap(namesOf));
  const [first] = command ? [...syntaxOf(command).params.values()].filter(({ isPositional }) => isPositional) : [];
  return [...verbsOf(word).keys(), ...(first ? valuesOf(first) : [])];
}

/** Of `state save`, the first. */
function distinctWords(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.split(".", 1)[0] ?? name))];
}

function forBash(words: readonly FirstWord[]): string {
  const flagCases = words.map(({ names, flags }) => `    ${names.join("|")}) flags="${flagWords(flags)}" ;;`);
  const valueCases = words.flatMap(({ names: [name], flags }) =>
    flags
      .filter((flag) => valuesOf(flag).length > 0)
      .map((flag) => `    ${name}:${flag.flag}) values="${valuesOf(flag).join(" ")}" ;;`),
  );
  const wordCases = words
    .filter(({ next }) => next.length > 0)
    .map(({ names, next }) => `    ${names.join("|")}) words="${next.join(" ")}" ;;`);
  return `# browse completion bash > /etc/bash_completion.d/browse, or: source <(browse completion bash)
_browse() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" flags="" values="" words="" word at=0
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    at=$((at + 1))
    case "$word" in -*) ;; *) command="$word"; break ;; esac
  done
  if [[ -z "$command" ]]; then
    COMPREPLY=($(compgen -W "${words.flatMap(({ names }) => names).join(" ")} ${flagWords(GLOBAL_FLAGS)}" -- "$current"))
    return
  fi
  case "$command:$previous" in
${valueCases.join("\n")}
  esac
  if [[ -n "$values" ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$current"))
    return
  fi
  case "$command" in
${flagCases.join("\n")}
  esac
  if (( at == COMP_CWORD - 1 )); then
    case "$command" in
${wordCases.join("\n")}
    esac
  fi
  if [[ -n "$words" && "$current" != -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ "$current" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -o filenames -F _browse browse
`;
}

function forZsh(words: readonly FirstWord[]): string {
  const lines = words.map(({ names: [name = ""], summary }) => `    ${zshWord(name)}:${zshWord(summary)}`);
  const cases = words.map(({ names, flags, next }) => {
    const specs = flags.map((flag) => `        ${zshFlag(flag)}`);
    if (next.length > 0) specs.push(`        '1:value:(${next.join(" ")})'`);
    return `      ${names.join("|")}) _arguments -S \\\n${specs.join(" \\\n")} \\\n        '*:file:_files' ;;`;
  });
  return `#compdef browse
# browse completion zsh > "\${fpath[1]}/_browse"
_browse() {
  local -a commands
  commands=(
${lines.map((line) => `    '${line.trim().replaceAll("'", "'\\''")}'`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
_browse "$@"
`;
}

function zshWord(text: string): string {
  return text.replaceAll(":", "\\:");
}

function zshFlag(param: ParamSyntax): string {
  const { flag, kinds, isList, description = "" } = param;
  const said = description.replace(/[[\]:]/g, " ").replaceAll("'", "'\\''");
  const values = valuesOf(param);
  const value = kinds.has("boolean") ? "" : `:value:${values.length > 0 ? `(${values.join(" ")})` : "_files"}`;
  return `'${isList ? "*" : ""}${flag}[${said}]${value}'`;
}

function forFish(words: readonly FirstWord[]): string {
  const lines = words.map(
    ({ names: [name], summary }) => `complete -c browse -n __fish_use_subcommand -f -a ${name} -d ${fishText(summary)}`,
  );
  const specs = words.flatMap(({ names, flags, next }) => {
    const where = `-n ${fishText(`__fish_seen_subcommand_from ${names.join(" ")}`)}`;
    const own = flags.filter((flag) => !GLOBAL_FLAGS.includes(flag));
    const first = next.length > 0 ? [`complete -c browse ${where} -f -a ${fishText(next.join(" "))}`] : [];
    return [...first, ...own.map((flag) => `complete -c browse ${where} ${fishFlag(flag)}`)];
  });
  const globals = GLOBAL_FLAGS.map((flag) => `complete -c browse ${fishFlag(flag)}`);
  return `# browse completion fish > ~/.config/fish/completions/browse.fish
${[...lines, ...specs, ...globals].join("\n")}
`;
}

function fishFlag(param: ParamSyntax): string {
  const { flag, short, kinds, description } = param;
  const values = valuesOf(param);
  const letter = short === undefined ? "" : ` -s ${short}`;
  const value = kinds.has("boolean") ? "" : values.length > 0 ? ` -x -a ${fishText(values.join(" "))}` : " -r";
  return `-l ${flag.slice(2)}${letter}${value}${description ? ` -d ${fishText(description)}` : ""}`;
}

function fishText(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function namesOf({ name, aliases = [] }: Command): string[] {
  return [name, ...aliases];
}

function flagWords(flags: readonly ParamSyntax[]): string {
  return flags.map(({ flag }) => flag).join(" ");
}
