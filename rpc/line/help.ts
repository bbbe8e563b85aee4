/** Help as a terminal shows it, all of it from the registry. */
import { allCommands, CATEGORIES, type Command, findCommand, verbsOf } from "../../commands/command.ts";
import { GLOBAL_FLAGS } from "./global_flags.ts";
import { takesSnapshot } from "./snapshot_after.ts";
import { commandNamed } from "./split_argv.ts";
import { type ParamSyntax, syntaxOf, usageOf } from "./syntax.ts";

const SNAPSHOT_NOTE = "Go on with a snapshot, with any flags of `snapshot`: the next look without another call";

export function helpOverview(): string {
  const commands = allCommands();
  const groups = CATEGORIES.map((category) => commands.filter((command) => command.category === category))
    .filter((group) => group.length > 0)
    .map((group) => [
      capital(group[0]?.category ?? ""),
      ...columns(group.map(({ spelling, summary }) => [spelling, summary])),
    ]);
  return [
    "browse <command> [arguments]: one browser that stays open between commands.",
    "",
    "browse goto example.com     load a page",
    "browse snapshot -i          see what can be acted on, with refs",
    "browse click @e3            act, and be told what it did",
    "",
    ...groups.flatMap((group) => [...group, ""]),
    "Everywhere",
    ...columns(GLOBAL_FLAGS.map((flag) => [signature(flag), flag.description ?? ""])),
    "",
    "browse help <command> shows its flags and examples; browse repl takes one command a line.",
  ].join("\n");
}

/** Of what is typed after `help`: a command, `state save`, or all of `state`. Throws `unknown_command`. */
export function helpNamed(typed: string): string {
  const name = typed.trim().replace(/\s+/g, ".");
  const verbs = [...verbsOf(name).values()];
  if (verbs.length === 0) return helpFor(commandNamed(name));
  const own = findCommand(name);
  const lines = verbs.flatMap((command) => [usageOf(command), `    ${command.summary}.`]);
  const more = `Run \`browse help ${verbs[0]?.spelling}\` for flags and examples of one.`;
  return [...(own ? [helpFor(own), "", "See also"] : []), ...lines, "", more].join("\n");
}

function helpFor(command: Command): string {
  const params = [...syntaxOf(command).params.values()];
  const aliases = command.aliases?.length ? [`Also: ${command.aliases.join(", ")}`] : [];
  return [
    usageOf(command),
    "",
    `${command.summary}.`,
    ...(command.description ? [command.description] : []),
    ...aliases,
    "",
    ...columns(params.map((param) => [signature(param), explained(command, param)])),
    ...(takesSnapshot(command) ? columns([["--snapshot, -i, …", SNAPSHOT_NOTE]]) : []),
    ...(params.length > 0 ? [""] : []),
    "Examples",
    ...command.examples.map((example) => `  ${example}`),
    "",
    `Scope ${command.scope}, effect ${command.effect}.`,
  ].join("\n");
}

/** With the words that an argument takes, and that it may come on standard input. */
function explained({ cli }: Command, { name, isPositional, choices, description = "" }: ParamSyntax): string {
  const words = isPositional && choices ? `${description === "" ? "One" : "one"} of ${choices.join(", ")}` : "";
  const isPiped = cli?.stdin === name && !description.includes("standard input");
  return [description, words, isPiped ? "- reads it from standard input" : ""].filter(Boolean).join("; ");
}

function signature({ label, short, choices, kinds, isPositional }: ParamSyntax): string {
  const letter = short === undefined ? "" : `-${short}, `;
  const onlyOnOff = kinds.size === 1 && kinds.has("boolean");
  const value = choices && !onlyOnOff ? choices.join("|") : [...kinds].join("|");
  return isPositional || onlyOnOff ? `${letter}${label}` : `${letter}${label} ${choices ? value : `<${value}>`}`;
}

function columns(rows: readonly (readonly [string, string] | readonly string[])[]): string[] {
  const width = Math.min(28, Math.max(0, ...rows.map(([left = ""]) => left.length)));
  return rows.map(([left = "", right = ""]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
